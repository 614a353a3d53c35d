import ToggleButton from '@mui/material/ToggleButton';
import type { FormEvent } from 'react';
import { SwitchForm, SwitchGroup } from '../theme/parts/switch';
import { Icon } from './icon';
import type { IconName } from './icon';

interface SwitchProps {
  /** Names the choices. */
  label: string;
  id?: string;
  action: string;
  /** The name by which the choice travels. */
  name: string;
  /** The path that the form comes back to. */
  back: string;
  chosen: string;
  choices: { value: string; label: string; icon?: IconName; lang?: string }[];
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void;
}

/** One of a few things that hold for the whole site. Each choice submits the form, which comes back to where it was. */
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
