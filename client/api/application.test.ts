import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { browser } from './testing';

let application: typeof import('./application');

beforeEach(async () => {
  vi.resetModules();
  application = await import('./application');
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const request = {
  patch: { personalInfo: { state: 'TX' } },
  applicationType: 'ba',
  revision: 3,
  applicant: 'demo@example.com',
} as const;

/** A signed-in browser whose saves and loads get `reply`. */
const signedIn = (reply: { status: number; body: unknown }) =>
  browser({ auth_token: 'mine' }, (call) =>
    call.url.endsWith('/me') ? { status: 200, body: { email: request.applicant } } : reply,
  );

describe('saving', () => {
  test('sends the change with its revision', async () => {
    const stored = { id: 'app-1', revision: 4 };
    const { calls } = signedIn({ status: 200, body: stored });
    expect(await application.saveApplication(request)).toEqual({ ok: true, application: stored });
    expect(calls[1]).toMatchObject({
      method: 'POST',
      url: '/api/users/application',
      body: { personalInfo: { state: 'TX' }, applicationType: 'ba' },
      headers: { 'If-Match': '"3"' },
    });
  });

  test('on a newer revision brings back what the server has', async () => {
    const current = { id: 'app-1', revision: 7 };
    const body = { code: 'application.stale', error: 'Changed in another tab.', current };
    signedIn({ status: 412, body });
    expect(await application.saveApplication(request)).toEqual({ ok: false, status: 412, ...body });
  });

  test('without a network is a failure without a status', async () => {
    browser({}, () => Promise.reject(new TypeError('Failed to fetch')));
    const failure = await application.saveApplication(request);
    expect(failure).toEqual({ ok: false, error: 'We could not save your application.' });
  });
});

test('no application is told apart from a failure to load', async () => {
  signedIn({ status: 404, body: { code: 'application.none', error: 'None.', status: 'none' } });
  expect(await application.loadApplication('demo@example.com')).toMatchObject({
    ok: false,
    code: 'application.none',
  });
});
