import { useState } from 'react';
import type { FormEvent } from 'react';
import type { Theme } from '../api/page';
import { t } from '../api/texts';
import { Icon } from './icon';
import type { IconName } from './icon';

const themes: { value: Theme; label: string; icon: IconName }[] = [
  { value: 'system', label: t('System'), icon: 'auto' },
  { value: 'light', label: t('Light'), icon: 'sun' },
  { value: 'dark', label: t('Dark'), icon: 'moon' },
];

/** Chooses the theme. A form that comes back to `back`; with JavaScript at once and in place. */
export function ThemeSwitch({ theme, back }: { theme: Theme; back: string }) {
  const [chosen, setChosen] = useState(theme);

  function choose(event: FormEvent<HTMLFormElement>) {
    const button = (event.nativeEvent as SubmitEvent).submitter;
    const next = themes.find(({ value }) => button instanceof HTMLButtonElement && value === button.value);
    if (!next) return;
    event.preventDefault();
    setChosen(next.value);
    document.documentElement.dataset.theme = next.value;
    // The server keeps the choice in its cookie. If it cannot be reached, the choice holds for this page.
    fetch('/theme', {
      method: 'POST',
      body: new URLSearchParams({ theme: next.value, back }),
      redirect: 'manual',
    }).catch(() => undefined);
  }

  return (
    <form className="site-switch" id="theme" method="post" action="/theme" onSubmit={choose}>
      <input type="hidden" name="back" value={back} />
      <fieldset>
        <legend>Theme</legend>
        {themes.map(({ value, label, icon }) => (
          <button key={value} type="submit" name="theme" value={value} aria-pressed={value === chosen}>
            <Icon name={icon} />
            {label}
          </button>
        ))}
      </fieldset>
    </form>
  );
}
