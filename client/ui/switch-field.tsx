import { Toggle, ToggleLabel } from '../theme/parts/switch-field';

interface SwitchFieldProps {
  label: string;
  name: string;
  value: string;
  checked: boolean;
  onChange: (isOn: boolean) => void;
}

/** A switch that takes effect when pressed; without JavaScript, when its form is submitted. */
export function SwitchField({ label, onChange, ...input }: SwitchFieldProps) {
  return (
    <ToggleLabel
      disableTypography
      control={<Toggle {...input} onChange={(event) => onChange(event.currentTarget.checked)} />}
      label={<span>{label}</span>}
    />
  );
}
