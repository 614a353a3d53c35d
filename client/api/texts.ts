// Texts for people are written in English where they are used. In the bundle of another language scripts/messages.mjs
// replaces them with their translations: in JSX without further marking, elsewhere where `t` marks a text.

declare global {
  /** The language of this bundle. */
  const LANGUAGE: 'en' | 'es';
}

/** Marks a text for people: t('Saved'), or t`Saved at ${time}`. */
export function t(text: string | TemplateStringsArray, ...values: (string | number)[]): string {
  return typeof text === 'string' ? text : String.raw({ raw: text }, ...values);
}
