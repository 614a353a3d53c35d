import ToggleButton from '@mui/material/ToggleButton';
import { styled } from '@mui/material/styles';
import type { FormEvent } from 'react';
import { Icon } from './icon';
import type { IconName } from './icon';

const Root = styled('form')({
  '& legend': { marginBlockEnd: '0.5rem' },
  '@media print': { display: 'none' },
});

/** Not MUI's ToggleButtonGroup, which moves the focus among its buttons: each of these submits, and all can be reached. */
const Group = styled('div')({
  display: 'inline-flex',
  '& > :not(:first-of-type)': { marginLeft: -1, borderTopLeftRadius: 0, borderBottomLeftRadius: 0 },
  '& > :not(:last-of-type)': { borderTopRightRadius: 0, borderBottomRightRadius: 0 },
  '& > :not(:first-of-type):not(.Mui-selected)': { borderLeftColor: 'transparent' },
});

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
    <Root id={id} method="post" action={action} onSubmit={onSubmit}>
      <input type="hidden" name="back" value={back} />
      <fieldset>
        <legend>{label}</legend>
        <Group>
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
        </Group>
      </fieldset>
    </Root>
  );
}
