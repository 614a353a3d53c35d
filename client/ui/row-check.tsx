import Checkbox from '@mui/material/Checkbox';

interface RowCheckProps {
  label: string;
  id?: string;
  name?: string;
  value?: string;
  checked: boolean;
  /** Some of what it stands for is chosen, and some is not. */
  some?: boolean;
  onChange: (isChecked: boolean) => void;
}

/** Chooses a row of a table, or all of them. */
export function RowCheck({ label, id, some = false, onChange, ...input }: RowCheckProps) {
  return (
    <Checkbox
      {...input}
      id={id}
      size="small"
      indeterminate={some}
      onChange={(event) => onChange(event.currentTarget.checked)}
      slotProps={{ input: { 'aria-label': label } }}
    />
  );
}
