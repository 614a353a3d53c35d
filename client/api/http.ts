// One call of the JSON API: its address, the token it carries, and what counts as an answer.

import { readToken, tokenKeyFor } from './tokens';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Removes NUL characters. Pasted text can contain them; nobody sees them, and no database stores them. */
function withoutNul(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '') : value;
}

export interface CallOptions {
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Lets the request outlive the page; the browser allows bodies up to 64 KB. */
  keepalive?: boolean;
  /** Aborts the call. Replaces the default timeout. */
  signal?: AbortSignal;
}

/** The server's answer, with any status below 500. */
export interface Answer {
  status: number;
  /** The parsed JSON, or null if there was none. */
  body: unknown;
  /** Seconds the server asks the caller to wait, or null. */
  retryAfter: number | null;
}

/** No answer: no network, a timeout, or a server error (status 500 and above). */
export class NoAnswer extends Error {
  constructor(
    /** The status, or null if nothing came back at all. */
    readonly status: number | null,
    readonly body: unknown,
    readonly retryAfter: number | null,
  ) {
    super(status === null ? 'No answer' : `Request failed with status code ${status}`);
  }
}

export type Failure = {
  ok: false;
  /** One plain sentence for the user. */
  error: string;
  /** Sentences by path, for refused answers. */
  fields?: Record<string, string>;
  /** Stable and machine-readable: `application.stale`. */
  code?: string;
  /** Absent when no answer came. */
  status?: number;
  /** Seconds the server asks the caller to wait. */
  retryAfter?: number;
};

export type Result<T = object> = ({ ok: true } & T) | Failure;

/** Milliseconds until a call is aborted. */
const TIMEOUT = 20_000;

/**
 * Returns the URL of one of our paths. `base` is empty for the page's own origin; on another host `/api` becomes
 * `/twentyEighty`, the name of that host's function.
 */
export function apiUrl(path: string, base: string, origin: string): string {
  if (base === '') return path;
  const url = new URL(base, origin);
  const there = url.origin === origin ? path : path.replace(/^\/api(?=\/|$)/, '/twentyEighty');
  return url.href.replace(/\/$/, '') + there;
}

function apiBase(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="api-base"]')?.content ?? '';
}

/** Returns the URL of one of our paths, as called from this page. */
export function urlOf(path: string): string {
  return apiUrl(path, apiBase(), location.origin);
}

/** Whether the API shares the page's origin, and therefore the session cookie. */
export function isSameOrigin(): boolean {
  return new URL(apiUrl('/', apiBase(), location.origin), location.origin).origin === location.origin;
}

/** @throws NoAnswer */
export async function send(method: Method, path: string, options: CallOptions = {}): Promise<Answer> {
  const headers: Record<string, string> = {
    Accept: 'application/json',
    'Accept-Language': LANGUAGE,
    ...options.headers,
  };
  const token = readToken(tokenKeyFor(path));
  if (token !== null) headers.Authorization = `Bearer ${token}`;
  if (options.body !== undefined) headers['Content-Type'] = 'application/json';

  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), TIMEOUT);
  let response: Response;
  let text: string;
  try {
    response = await fetch(urlOf(path), {
      method,
      headers,
      body: options.body === undefined ? undefined : JSON.stringify(options.body, withoutNul),
      keepalive: options.keepalive,
      signal: options.signal ?? giveUp.signal,
    });
    text = await response.text();
  } catch {
    throw new NoAnswer(null, null, null);
  } finally {
    clearTimeout(timer);
  }

  const body = parse(text);
  const retryAfter = secondsOf(response.headers.get('Retry-After'));
  if (response.status >= 500) throw new NoAnswer(response.status, body, retryAfter);
  return { status: response.status, body, retryAfter };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy's HTML page or an empty body.
    return null;
  }
}

function secondsOf(header: string | null): number | null {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : null;
}

/** The members of a problem+json body, as far as present. */
function problemOf(body: unknown): { error?: string; code?: string; fields?: Record<string, string> } {
  if (typeof body !== 'object' || body === null) return {};
  const { error, code, fields } = body as Record<string, unknown>;
  return {
    ...(typeof error === 'string' && error !== '' ? { error } : {}),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof fields === 'object' && fields !== null ? { fields: fields as Record<string, string> } : {}),
  };
}

/** Turns an answer with status 400 or above into a result; `fallback` is the sentence if the server sent none. */
export function refused(answer: Answer, fallback: string): Failure {
  const problem = problemOf(answer.body);
  return {
    ok: false,
    ...problem,
    error: problem.error ?? fallback,
    status: answer.status,
    ...(answer.retryAfter === null ? {} : { retryAfter: answer.retryAfter }),
  };
}

/** Turns the outcome of a call into a result. `silence` is the sentence if no answer came. */
export async function resultOf<T extends object>(
  call: Promise<Answer>,
  read: (body: unknown) => T,
  fallback: string,
  silence = fallback,
): Promise<Result<T>> {
  try {
    const answer = await call;
    return answer.status >= 400 ? refused(answer, fallback) : { ok: true, ...read(answer.body) };
  } catch (thrown) {
    return unanswered(thrown, silence);
  }
}

/** Turns a thrown error into a result. */
export function unanswered(thrown: unknown, fallback: string): Failure {
  if (!(thrown instanceof NoAnswer)) return { ok: false, error: fallback };
  const message = (thrown.body as { message?: unknown } | null)?.message;
  const problem = problemOf(thrown.body);
  return {
    ok: false,
    ...problem,
    error: typeof message === 'string' && message !== '' ? message : (problem.error ?? fallback),
    ...(thrown.status === null ? {} : { status: thrown.status }),
    ...(thrown.retryAfter === null ? {} : { retryAfter: thrown.retryAfter }),
  };
}
