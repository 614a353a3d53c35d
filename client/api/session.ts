// Who is signed in: logging in and out, and calls in the applicant's name.

import {
  isSameOrigin,
  NoAnswer,
  refused,
  send,
  unanswered,
  type Answer,
  type CallOptions,
  type Method,
  type Result,
} from './http';
import type { ApplicationStatus, ApplicationType } from './page';
import { readToken, removeToken, storeToken, tokenKeyFor } from './tokens';

export interface User {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  dateOfBirth: string;
  phoneNumber: string;
  country: string;
  state: string | null;
  timeZone: string;
  applicationStatus: ApplicationStatus;
}

export interface Registration {
  firstName: string;
  lastName: string;
  email: string;
  password: string;
  /** YYYY-MM-DD */
  dateOfBirth: string;
  /** `+`, the country's first dial code, digits. */
  phoneNumber: string;
  country: string;
  /** Only in the United States. */
  state?: string;
  /** Starts an application of this program with the account. */
  applicationType?: ApplicationType;
}

const FAILED = 'An error occurred';

/** The problem code of a call whose token belongs to somebody else than the page was made for. */
export const OTHER_ACCOUNT = 'session.other_account';

/**
 * Refusals of a token after which the cookie is asked for another one. The session of a token can have ended while the
 * cookie already belongs to a new one: who logs out and in again without JavaScript leaves the old token behind.
 */
const RENEWABLE = new Set(['auth.required', 'token.expired', 'token.invalid', 'session.revoked']);

/** Lower-case e-mail addresses by token, as far as they are known: saves asking again before each call. */
const owners = new Map<string, string>();

export function login(email: string, password: string): Promise<Result<{ user: User }>> {
  return openSession('/api/users/login', { email, password });
}

export function register(registration: Registration): Promise<Result<{ user: User }>> {
  return openSession('/api/users/register', registration);
}

async function openSession(path: string, body: unknown): Promise<Result<{ user: User }>> {
  try {
    const answer = await send('POST', path, { body });
    if (answer.status >= 400) return refused(answer, FAILED);
    const { token, user } = answer.body as { token: string; user: User };
    adopt(token, user);
    return { ok: true, user };
  } catch (thrown) {
    return unanswered(thrown, FAILED);
  }
}

function adopt(token: string, user: User): void {
  storeToken('auth_token', token);
  owners.set(token, user.email.toLowerCase());
}

export async function forgotPassword(email: string): Promise<Result<{ message: string }>> {
  return messageOf('/api/users/forgot-password', { email });
}

/** `token` is the mailed link's or code's. */
export async function resetPassword(token: string, password: string): Promise<Result<{ message: string }>> {
  return messageOf('/api/users/reset-password', { token, password });
}

async function messageOf(path: string, body: unknown): Promise<Result<{ message: string }>> {
  const fallback = 'An error occurred. Please try again.';
  try {
    const answer = await send('POST', path, { body });
    if (answer.status >= 400) return refused(answer, fallback);
    return { ok: true, message: (answer.body as { message: string }).message };
  } catch (thrown) {
    return unanswered(thrown, fallback);
  }
}

/** Ends the session on the server where it can be reached, and forgets the token in any case. */
export async function logout(): Promise<void> {
  try {
    await send('POST', '/api/users/logout');
  } catch {
    // The token is forgotten all the same; the session ends on the server by its age.
  }
  removeToken('auth_token');
}

export function currentUser(): Promise<Result<{ user: User }>> {
  return resultOf('GET', '/api/users/me', {}, (body) => ({ user: body as User }));
}

let startupChecked = false;

/**
 * What the client does once when it starts: a stored token that the server no longer takes is removed. Nothing on the
 * screen waits for it, the page itself was rendered for its cookie.
 */
export async function checkStoredToken(path: string): Promise<void> {
  if (startupChecked || path.startsWith('/admin-panel') || readToken('auth_token') === null) return;
  startupChecked = true;
  await ownerOf('auth_token').catch(() => null);
}

/**
 * A call with the applicant's token. A token that is missing or no longer taken is renewed from the session cookie, once.
 * With `as`, the call is only made in the name of that e-mail address: a page of one applicant stays open while
 * another one logs in in the next tab, and what was typed here must never land there.
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
  const answer = await attempt();
  return needsRenewal(path, answer) && (await renew()) ? attempt() : answer;
}

/** `call`, with its outcome as a result. */
export async function resultOf<T extends object>(
  method: Method,
  path: string,
  options: CallOptions,
  read: (body: unknown) => T,
  fallback: { refused: string; unanswered: string } = { refused: FAILED, unanswered: FAILED },
): Promise<Result<T>> {
  try {
    const answer = await call(method, path, options);
    return answer.status >= 400 ? refused(answer, fallback.refused) : { ok: true, ...read(answer.body) };
  } catch (thrown) {
    return unanswered(thrown, fallback.unanswered);
  }
}

function needsRenewal(path: string, answer: Answer): boolean {
  if (answer.status !== 401 || tokenKeyFor(path) !== 'auth_token' || !isSameOrigin()) return false;
  const code = (answer.body as { code?: unknown } | null)?.code;
  return typeof code === 'string' && RENEWABLE.has(code);
}

let renewal: Promise<boolean> | null = null;

/** Calls that fail together renew together. */
function renew(): Promise<boolean> {
  renewal ??= renewFromCookie().finally(() => {
    renewal = null;
  });
  return renewal;
}

async function renewFromCookie(): Promise<boolean> {
  removeToken('auth_token');
  const answer = await send('POST', '/api/users/session');
  const token = (answer.body as { token?: unknown } | null)?.token;
  if (answer.status >= 400 || typeof token !== 'string') return false;
  storeToken('auth_token', token);
  return true;
}

/** True also without a usable token: then the call itself says so, and renews it. */
async function mayCallAs(email: string): Promise<boolean> {
  const owner = await ownerOf('auth_token');
  return owner === null || owner === email.toLowerCase();
}

/** @throws NoAnswer */
async function ownerOf(key: 'auth_token'): Promise<string | null> {
  const token = readToken(key);
  if (token === null) return null;
  const known = owners.get(token);
  if (known !== undefined) return known;
  const answer = await send('GET', '/api/users/me');
  if (answer.status === 429) throw new NoAnswer(answer.status, answer.body, answer.retryAfter);
  if (answer.status >= 400) {
    // Only the token that was refused: another tab may have stored a new one meanwhile.
    if (readToken(key) === token) removeToken(key);
    return null;
  }
  const owner = (answer.body as User).email.toLowerCase();
  owners.set(token, owner);
  return owner;
}

function otherAccount(): Answer {
  return {
    status: 401,
    body: { code: OTHER_ACCOUNT, error: 'Somebody else has logged in in this browser.' },
    retryAfter: null,
  };
}

