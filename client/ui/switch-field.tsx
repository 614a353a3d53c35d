import { Toggle, ToggleLabel } from '../theme/parts/switch-field';

interface SwitchFieldProps {
  label: string;
  name: string;
  value: string;
  checked: boolean;
  onChange: (isOn: boolean) => void;
}

/** Something that is on or off, and is as soon as it is pressed; in a form that is sent where there is no script. */
export function SwitchField({ label, onChange, ...input }: SwitchFieldProps) {
  return (
    <ToggleLabel
      disableTypography
      control={<Toggle {...input} onChange={(event) => onChange(event.currentTarget.checked)} />}
      label={<span>{label}</span>}
    />
  );
}
