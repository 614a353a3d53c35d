import type { Language } from './page.gen';

/** Each under its own name, for those who can read no other. */
export const languages: { value: Language; name: string }[] = [
  { value: 'en', name: 'English' },
  { value: 'es', name: 'Español' },
];
