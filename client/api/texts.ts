// What people read is written in English where it is used, and in the bundle of another language its translation stands
// there: scripts/messages.mjs puts it there while bundling, for JSX by itself and elsewhere where `t` marks a text.

declare global {
  /** The language of this bundle. */
  const LANGUAGE: 'en' | 'es';
}

/** Marks a text that people read: t('Saved'), or t`Saved at ${time}`. */
export function t(text: string | TemplateStringsArray, ...values: (string | number)[]): string {
  return typeof text === 'string' ? text : String.raw({ raw: text }, ...values);
}
