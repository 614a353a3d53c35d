import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { apiUrl, NoAnswer, refused, send, unanswered } from './http';
import { browser } from './testing';

describe('where a call goes', () => {
  const origin = 'https://apply.example.edu';
  test.each([
    ['', '/api/users/me'],
    ['https://apply.example.edu', 'https://apply.example.edu/api/users/me'],
    ['https://functions.example.com/', 'https://functions.example.com/twentyEighty/users/me'],
    ['//functions.example.com', 'https://functions.example.com/twentyEighty/users/me'],
  ])('base %j', (base, url) => {
    expect(apiUrl('/api/users/me', base, origin)).toBe(url);
  });

  test('only the first part of the path is renamed', () => {
    expect(apiUrl('/apiary/api/x', 'https://functions.example.com', origin)).toBe(
      'https://functions.example.com/apiary/api/x',
    );
  });
});

describe('one call', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test('carries the token of its kind', async () => {
    const { calls } = browser({ auth_token: 'applicant', admin_token: 'staff' }, () => ({ status: 200 }));
    await send('GET', '/api/users/me');
    await send('GET', '/api/admins/me');
    expect(calls.map((call) => call.headers.Authorization)).toEqual(['Bearer applicant', 'Bearer staff']);
  });

  test('has an answer below 500, also one that is no JSON', async () => {
    browser({}, () => ({ status: 404, text: '<h1>Not found</h1>', headers: { 'Retry-After': '7' } }));
    expect(await send('GET', '/api/users/me')).toEqual({ status: 404, body: null, retryAfter: 7 });
  });

  test('throws from 500 on, with what the server said', async () => {
    browser({}, () => ({
      status: 503,
      body: { error: 'Try again in a minute.', code: 'storage.unavailable' },
    }));
    const thrown = await send('GET', '/api/users/me').catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(NoAnswer);
    expect(unanswered(thrown, 'An error occurred')).toEqual({
      ok: false,
      error: 'Try again in a minute.',
      code: 'storage.unavailable',
      status: 503,
    });
  });

  test('throws without a network, and when it takes too long', async () => {
    browser({}, () => new Promise(() => {}));
    const slow = send('GET', '/api/users/me').catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(unanswered(await slow, 'An error occurred')).toEqual({ ok: false, error: 'An error occurred' });
  });
});

test('a refusal without a sentence gets the fallback', () => {
  expect(refused({ status: 400, body: null, retryAfter: null }, 'An error occurred')).toEqual({
    ok: false,
    error: 'An error occurred',
    status: 400,
  });
});
