import { useState } from 'react';
import type { FormEvent } from 'react';
import type { Theme } from '../api/page.gen';
import { t } from '../api/texts';
import type { IconName } from './icon';
import { Switch } from './switch';

const themes: { value: Theme; label: string; icon: IconName }[] = [
  { value: 'system', label: t('System'), icon: 'auto' },
  { value: 'light', label: t('Light'), icon: 'sun' },
  { value: 'dark', label: t('Dark'), icon: 'moon' },
];

/** Chooses the theme. A form that returns to `back`; with JavaScript it applies immediately and in place. */
export function ThemeSwitch({ theme, back }: { theme: Theme; back: string }) {
  const [chosen, setChosen] = useState(theme);

  function choose(event: FormEvent<HTMLFormElement>) {
    const button = (event.nativeEvent as SubmitEvent).submitter;
    const next = themes.find(({ value }) => button instanceof HTMLButtonElement && value === button.value);
    if (!next) return;
    event.preventDefault();
    setChosen(next.value);
    document.documentElement.dataset.theme = next.value;
    // The server stores the choice in a cookie. If it cannot be reached, the choice applies to this page only.
    fetch('/theme', {
      method: 'POST',
      body: new URLSearchParams({ theme: next.value, back }),
      redirect: 'manual',
    }).catch(() => undefined);
  }

  return (
    <Switch
      label={t('Theme')}
      id="theme"
      action="/theme"
      name="theme"
      back={back}
      chosen={chosen}
      choices={themes}
      onSubmit={choose}
    />
  );
}
