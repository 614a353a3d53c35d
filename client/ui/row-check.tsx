import Checkbox from '@mui/material/Checkbox';

interface RowCheckProps {
  label: string;
  id?: string;
  name?: string;
  value?: string;
  checked: boolean;
  /** Some of what it stands for is chosen, and some is not. */
  some?: boolean;
  /** `withShift`: together with the rows since the last one, as in other lists. */
  onChange: (isChecked: boolean, withShift: boolean) => void;
}

/** Chooses a row of a table, or all of them. */
export function RowCheck({ label, id, some = false, onChange, ...input }: RowCheckProps) {
  return (
    <Checkbox
      {...input}
      id={id}
      size="small"
      indeterminate={some}
      // What a browser calls a change of a box is a click.
      onChange={({ currentTarget, nativeEvent }) =>
        onChange(currentTarget.checked, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
      }
      slotProps={{ input: { 'aria-label': label } }}
    />
  );
}
