import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { browser, type Call } from './testing';

// The module's state (owners of tokens, the start-up check) lasts as long as a page, so each test loads the module
// anew.
let session: typeof import('./session');

beforeEach(async () => {
  vi.resetModules();
  session = await import('./session');
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const expired = { status: 401, body: { code: 'token.expired', error: 'Log in again.' } };
const bearer = (call: Call) => call.headers.Authorization ?? null;
const paths = (calls: Call[]) => calls.map((call) => `${call.method} ${call.url}`);

describe('logging in', () => {
  test('keeps the token', async () => {
    const user = { email: 'demo@example.com' };
    const { items } = browser({}, () => ({ status: 200, body: { token: 'new', user } }));
    expect(await session.login('demo@example.com', 'secret')).toEqual({ ok: true, user });
    expect(items.get('auth_token')).toBe('new');
  });

  test('fails with the server’s sentence', async () => {
    const body = { error: 'Email or password is wrong.', code: 'login.failed' };
    browser({}, () => ({ status: 401, body }));
    expect(await session.login('demo@example.com', 'x')).toEqual({ ok: false, status: 401, ...body });
  });

  test('fails with a sentence of our own when there is none', async () => {
    browser({}, () => Promise.reject(new TypeError('Failed to fetch')));
    expect(await session.login('demo@example.com', 'x')).toEqual({ ok: false, error: 'An error occurred' });
    expect(await session.forgotPassword('demo@example.com')).toEqual({
      ok: false,
      error: 'An error occurred. Please try again.',
    });
  });

  test('works where the browser keeps nothing', async () => {
    const { calls } = browser({}, () => ({ status: 200, body: { token: 'new', user: { email: 'a@b.co' } } }));
    vi.stubGlobal('localStorage', undefined);
    await session.login('a@b.co', 'secret');
    await session.call('GET', '/api/users/me');
    expect(bearer(calls[1]!)).toBe('Bearer new');
  });
});

describe('a token that has expired', () => {
  test('is renewed from the cookie, and the call made again', async () => {
    const { calls, items } = browser({ auth_token: 'old' }, (call) => {
      if (call.url.endsWith('/session')) return { status: 200, body: { token: 'new' } };
      return bearer(call) === 'Bearer new' ? { status: 200, body: { email: 'a@b.co' } } : expired;
    });
    expect(await session.call('GET', '/api/users/me')).toMatchObject({ status: 200 });
    expect(paths(calls)).toEqual(['GET /api/users/me', 'POST /api/users/session', 'GET /api/users/me']);
    expect(items.get('auth_token')).toBe('new');
  });

  test('of staff is renewed by the office’s own pages, and the applicant’s left alone', async () => {
    const { calls, items } = browser({ auth_token: 'theirs' }, (call) => {
      if (call.url === '/admin-panel/token') return { status: 200, body: { token: 'new' } };
      return bearer(call) === 'Bearer new' ? { status: 200, body: {} } : expired;
    });
    expect(await session.call('GET', '/api/admins/me')).toMatchObject({ status: 200 });
    expect(paths(calls)).toEqual(['POST /admin-panel/token', 'GET /api/admins/me']);
    expect(calls[0]!.headers['Content-Type']).toBe('application/x-www-form-urlencoded');
    expect([items.get('admin_token'), items.get('auth_token')]).toEqual(['new', 'theirs']);
  });

  test('is renewed once for calls that fail together', async () => {
    const { calls } = browser({ auth_token: 'old' }, (call) => {
      if (call.url.endsWith('/session')) return { status: 200, body: { token: 'new' } };
      return bearer(call) === 'Bearer new' ? { status: 200, body: {} } : expired;
    });
    await Promise.all([session.call('GET', '/api/users/me'), session.call('GET', '/api/users/me')]);
    expect(calls.filter((call) => call.url.endsWith('/session'))).toHaveLength(1);
  });

  test('is renewed before it is refused, where it tells its end', async () => {
    const token = (exp: number) => `header.${btoa(JSON.stringify({ exp }))}.signature`;
    const { calls, items } = browser({ auth_token: token(1) }, (call) =>
      call.url.endsWith('/session') ? { status: 200, body: { token: 'new' } } : { status: 200, body: {} },
    );
    await session.call('GET', '/api/users/me');
    expect(paths(calls)).toEqual(['POST /api/users/session', 'GET /api/users/me']);
    items.set('auth_token', token(Date.now() / 1000 + 60));
    await session.call('GET', '/api/users/me');
    expect(calls).toHaveLength(3);
  });

  test('is not renewed twice', async () => {
    const { calls } = browser({ auth_token: 'old' }, (call) =>
      call.url.endsWith('/session') ? { status: 200, body: { token: 'new' } } : expired,
    );
    expect(await session.call('GET', '/api/users/me')).toMatchObject({
      status: 401,
      body: { code: 'token.expired' },
    });
    expect(calls).toHaveLength(3);
  });

  test('is not asked for again when the session of the cookie has ended too', async () => {
    const { calls } = browser({ auth_token: 'old' }, () => ({
      status: 401,
      body: { code: 'session.revoked' },
    }));
    await session.call('GET', '/api/users/me');
    expect(paths(calls)).toEqual(['GET /api/users/me', 'POST /api/users/session']);
  });

  test('is not renewed for a refusal of something else', async () => {
    const { calls } = browser({ auth_token: 'old' }, () => ({
      status: 401,
      body: { code: 'token.audience' },
    }));
    await session.call('GET', '/api/users/me');
    expect(calls).toHaveLength(1);
  });
});

test('without a token, the cookie is asked for one before anything is sent', async () => {
  const { calls } = browser({}, (call) =>
    call.url.endsWith('/session') ? { status: 200, body: { token: 'new' } } : { status: 200, body: {} },
  );
  await session.call('GET', '/api/users/me');
  expect(paths(calls)).toEqual(['POST /api/users/session', 'GET /api/users/me']);
});

describe('a call in somebody’s name', () => {
  const me = (email: string) => ({ status: 200, body: { email } });

  test('asks whose the token is, once', async () => {
    const { calls } = browser({ auth_token: 'mine' }, (call) =>
      call.url.endsWith('/me') ? me('Demo@example.com') : { status: 200 },
    );
    await session.call('POST', '/api/users/application', { as: 'demo@example.com' });
    await session.call('POST', '/api/users/application', { as: 'demo@example.com' });
    expect(calls.filter((call) => call.url.endsWith('/me'))).toHaveLength(1);
    expect(calls).toHaveLength(3);
  });

  test('is not made when another applicant has logged in', async () => {
    const { calls } = browser({ auth_token: 'other' }, () => me('other@example.com'));
    const answer = await session.call('POST', '/api/users/application', { as: 'demo@example.com' });
    expect(answer).toMatchObject({ status: 401, body: { code: session.OTHER_ACCOUNT } });
    expect(paths(calls)).toEqual(['GET /api/users/me']);
  });

  test('is not made either when the renewed token is another applicant’s', async () => {
    const { calls } = browser({ auth_token: 'old' }, (call) => {
      if (call.url.endsWith('/session')) return { status: 200, body: { token: 'other' } };
      if (call.url.endsWith('/me'))
        return bearer(call) === 'Bearer other' ? me('other@example.com') : expired;
      return { status: 401, body: { code: 'auth.required' } };
    });
    const answer = await session.call('POST', '/api/users/application', { as: 'demo@example.com' });
    expect(answer).toMatchObject({ status: 401, body: { code: session.OTHER_ACCOUNT } });
    expect(calls.filter((call) => call.url.endsWith('/application')).map(bearer)).toEqual([null]);
  });
});

describe('at start', () => {
  test('a token that the server refuses is removed', async () => {
    const { items } = browser({ auth_token: 'old' }, () => expired);
    await session.checkStoredToken('/bachelor/apply');
    expect(items.has('auth_token')).toBe(false);
  });

  test('a server that is away removes nothing', async () => {
    const { items } = browser({ auth_token: 'mine' }, () => ({ status: 503 }));
    await session.checkStoredToken('/bachelor/apply');
    expect(items.has('auth_token')).toBe(true);
  });

  test('nothing is asked without a token, in the admin panel, or twice', async () => {
    const { calls, items } = browser({}, () => ({ status: 200, body: { email: 'a@b.co' } }));
    await session.checkStoredToken('/bachelor/apply');
    items.set('auth_token', 'mine');
    await session.checkStoredToken('/admin-panel/login');
    await session.checkStoredToken('/dashboard');
    await session.checkStoredToken('/dashboard');
    expect(calls).toHaveLength(1);
  });
});
