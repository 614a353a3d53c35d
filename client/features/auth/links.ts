import type { AuthMode } from '../../api/page.gen';

/** Names of the modes in `?dialog=`. */
const names: Record<AuthMode, string> = { login: 'login', register: 'register', 'forgot-password': 'forgot' };

/** Returns the address at which a page shows the dialog in this mode. */
export function dialogHref(pageHref: string, mode: AuthMode, redirect?: string): string {
  // Also rendered on the server, whose isolates have no URLSearchParams.
  const target = redirect ? `&redirect=${encodeURIComponent(redirect)}` : '';
  return `${pageHref}?dialog=${names[mode]}${target}`;
}

/** Returns the mode that a query asks for, or null. */
export function dialogMode(search: string): AuthMode | null {
  const name = new URLSearchParams(search).get('dialog');
  const mode = (Object.keys(names) as AuthMode[]).find((candidate) => names[candidate] === name);
  return mode ?? null;
}
