// The user's session: logging in, and calls in the applicant's name.

import {
  isSameOrigin,
  NoAnswer,
  resultOf,
  send,
  type Answer,
  type CallOptions,
  type Method,
  type Result,
} from './http';
import type { components } from './schema.gen';
import { t } from './texts';
import { readToken, removeToken, storeToken, tokenKeyFor, type TokenKey } from './tokens';

export type User = components['schemas']['User'];
export type Registration = components['schemas']['Registration'];
type SignedIn = components['schemas']['SignedIn'];

const FAILED = t('An error occurred');

/** The problem code of a call whose token belongs to another account than the page was made for. */
export const OTHER_ACCOUNT = 'session.other_account';

/**
 * Refusals of a token after which a new one is requested with the cookie. A token's session may have ended while the
 * cookie already belongs to a new one: logging out and in again without JavaScript leaves the old token behind.
 */
const RENEWABLE = new Set(['auth.required', 'token.expired', 'token.invalid', 'session.revoked']);

/** Lower-case e-mail addresses by token, as far as known, to avoid asking again before each call. */
const owners = new Map<string, string>();

/** `code` is given if the account has a second factor. */
export function login(email: string, password: string, code?: string): Promise<Result<{ user: User }>> {
  return openSession('/api/users/login', { email, password, code });
}

export function register(registration: Registration): Promise<Result<{ user: User }>> {
  return openSession('/api/users/register', registration);
}

function openSession(path: string, body: unknown): Promise<Result<{ user: User }>> {
  return resultOf(send('POST', path, { body }), (answer) => adopt(answer as SignedIn), FAILED);
}

function adopt({ token, user }: SignedIn): { user: User } {
  storeToken('auth_token', token);
  owners.set(token, user.email.toLowerCase());
  return { user };
}

export function forgotPassword(email: string): Promise<Result<{ message: string }>> {
  return messageOf('/api/users/forgot-password', { email });
}

/** `token` comes from the mailed link or code. */
export function resetPassword(token: string, password: string): Promise<Result<{ message: string }>> {
  return messageOf('/api/users/reset-password', { token, password });
}

function messageOf(path: string, body: unknown): Promise<Result<{ message: string }>> {
  return resultOf(
    send('POST', path, { body }),
    (answer) => ({ message: (answer as { message: string }).message }),
    t('An error occurred. Please try again.'),
  );
}

let hasChecked = false;

/**
 * Runs once when the client starts: removes a stored token that the server no longer accepts. Nothing on the screen
 * waits for it, since the page itself was rendered for its cookie.
 */
export async function checkStoredToken(path: string): Promise<void> {
  if (hasChecked || path.startsWith('/admin-panel') || readToken('auth_token') === null) return;
  hasChecked = true;
  await tokenOwner().catch(() => null);
}

/**
 * Makes a call with the applicant's token or, below `/admins/`, the staff token. A token that is missing or no longer
 * accepted is renewed once from the session cookie. With `as`, the call is only made in the name of that e-mail
 * address: a page of one applicant may stay open while another logs in in the next tab, and what was typed here must
 * never end up there.
 *
 * @throws NoAnswer
 */
export async function call(
  method: Method,
  path: string,
  options: CallOptions & { as?: string } = {},
): Promise<Answer> {
  const { as, ...rest } = options;
  const attempt = async (): Promise<Answer> =>
    as !== undefined && !(await mayCallAs(as)) ? otherAccount() : send(method, path, rest);
  const key = tokenKeyFor(path);
  const isRenewable = isSameOrigin();
  const token = readToken(key);
  if (isRenewable && (token === null || hasLapsed(token))) {
    await renew(key);
    return attempt();
  }
  const answer = await attempt();
  return isRenewable && isTokenRefused(answer) && (await renew(key)) ? attempt() : answer;
}

/** Whether the token has expired by its own claims, so that sending it would only be refused. */
function hasLapsed(token: string): boolean {
  try {
    // base64url and Base64 differ only in characters that never occur in these claims.
    return (JSON.parse(atob(token.split('.')[1]!)) as { exp: number }).exp < Date.now() / 1000;
  } catch {
    return false;
  }
}

function isTokenRefused(answer: Answer): boolean {
  const code = (answer.body as { code?: unknown } | null)?.code;
  return answer.status === 401 && typeof code === 'string' && RENEWABLE.has(code);
}

const renewals = new Map<TokenKey, Promise<boolean>>();

/** Calls that fail together share one renewal. */
function renew(key: TokenKey): Promise<boolean> {
  let renewal = renewals.get(key);
  if (!renewal) {
    renewal = renewFromCookie(key).finally(() => renewals.delete(key));
    renewals.set(key, renewal);
  }
  return renewal;
}

async function renewFromCookie(key: TokenKey): Promise<boolean> {
  removeToken(key);
  const answer = await (key === 'auth_token'
    ? send('POST', '/api/users/session')
    : // The office's cookie is sent only to its pages, which accept forms.
      send('POST', '/admin-panel/token', {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      }));
  const token = (answer.body as { token?: unknown } | null)?.token;
  if (answer.status >= 400 || typeof token !== 'string') return false;
  storeToken(key, token);
  return true;
}

/** Also true without a usable token: the call itself then reports that, and renews it. */
async function mayCallAs(email: string): Promise<boolean> {
  const owner = await tokenOwner();
  return owner === null || owner === email.toLowerCase();
}

/**
 * Returns the lower-case e-mail address that the token belongs to; null without an accepted token.
 *
 * @throws NoAnswer
 */
async function tokenOwner(): Promise<string | null> {
  const token = readToken('auth_token');
  if (token === null) return null;
  const known = owners.get(token);
  if (known !== undefined) return known;
  const answer = await send('GET', '/api/users/me');
  if (answer.status === 429) throw new NoAnswer(answer.status, answer.body, answer.retryAfter);
  if (answer.status >= 400) {
    // Only the refused token: another tab may have stored a new one in the meantime.
    if (readToken('auth_token') === token) removeToken('auth_token');
    return null;
  }
  const owner = (answer.body as User).email.toLowerCase();
  owners.set(token, owner);
  return owner;
}

function otherAccount(): Answer {
  return {
    status: 401,
    body: { code: OTHER_ACCOUNT, error: t('Someone else has logged in on this browser.') },
    retryAfter: null,
  };
}
