import { languages } from '../api/languages';
import type { Language } from '../api/page';

/** Chooses the language. A form that comes back to `back` as a new document, which has the scripts of that language. */
export function LanguageSwitch({ language, back }: { language: Language; back: string }) {
  return (
    <form className="site-switch" method="post" action="/language">
      <input type="hidden" name="back" value={back} />
      <fieldset>
        <legend>Language</legend>
        {languages.map(({ value, name }) => (
          <button
            key={value}
            type="submit"
            name="language"
            value={value}
            lang={value}
            aria-pressed={value === language}
          >
            {name}
          </button>
        ))}
      </fieldset>
    </form>
  );
}
