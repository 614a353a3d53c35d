import ToggleButton from '@mui/material/ToggleButton';
import type { FormEvent } from 'react';
import { SwitchForm, SwitchGroup } from '../theme/parts/switch';
import { Icon } from './icon';
import type { IconName } from './icon';

interface SwitchProps {
  /** Label of the choices. */
  label: string;
  id?: string;
  action: string;
  /** Name of the submitted field. */
  name: string;
  /** The path to return to. */
  back: string;
  chosen: string;
  choices: { value: string; label: string; icon?: IconName; lang?: string }[];
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void;
}

/** A choice of a few options for the whole site. Each option submits the form, which returns to the same page. */
export function Switch({ label, id, action, name, back, chosen, choices, onSubmit }: SwitchProps) {
  return (
    <SwitchForm id={id} method="post" action={action} onSubmit={onSubmit}>
      <input type="hidden" name="back" value={back} />
      <fieldset>
        <legend>{label}</legend>
        <SwitchGroup>
          {choices.map((choice) => (
            <ToggleButton
              key={choice.value}
              type="submit"
              name={name}
              value={choice.value}
              lang={choice.lang}
              selected={choice.value === chosen}
            >
              {choice.icon ? <Icon name={choice.icon} /> : null}
              {choice.label}
            </ToggleButton>
          ))}
        </SwitchGroup>
      </fieldset>
    </SwitchForm>
  );
}
