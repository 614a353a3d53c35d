import { languages } from '../api/languages';
import type { Language } from '../api/page.gen';
import { t } from '../api/texts';
import { Switch } from './switch';

const choices = languages.map(({ value, name }) => ({ value, label: name, lang: value }));

/** Chooses the language. A form that returns to `back` as a new document, with the scripts of that language. */
export function LanguageSwitch({ language, back }: { language: Language; back: string }) {
  return (
    <Switch
      label={t('Language')}
      action="/language"
      name="language"
      back={back}
      chosen={language}
      choices={choices}
    />
  );
}
