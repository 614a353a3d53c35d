import { readItem, removeItem, writeItem } from './storage';

/** Keys under which the bearer tokens of an applicant and of a member of staff are stored. */
export type TokenKey = 'auth_token' | 'admin_token';

/** Tokens that the browser refused to store; they live as long as the page. */
const unkept = new Map<TokenKey, string>();

/** Returns the key of the token that a call to `path` carries. */
export function tokenKeyFor(path: string): TokenKey {
  return path.includes('/admins/') ? 'admin_token' : 'auth_token';
}

export function readToken(key: TokenKey): string | null {
  return unkept.get(key) ?? readItem(key);
}

export function storeToken(key: TokenKey, token: string): void {
  unkept.delete(key);
  if (!writeItem(key, token)) unkept.set(key, token);
}

export function removeToken(key: TokenKey): void {
  unkept.delete(key);
  removeItem(key);
}
