import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { AuthMode, FormState, SignOnLink } from '../../api/page.gen';
import { AuthDialog } from './auth-dialog';

function html(mode: AuthMode, form?: FormState, signOn?: SignOnLink[]): string {
  return renderToStaticMarkup(
    createElement(AuthDialog, {
      program: 'masters',
      mode,
      redirect: '/dashboard',
      passkeys: true,
      signOn,
      form,
      draft: new Map(),
      closeHref: '/masters/apply',
      onMode: () => undefined,
      onClose: () => undefined,
      onLoggedIn: () => undefined,
    }),
  );
}

describe('the auth dialog without JavaScript', () => {
  it.each([
    [
      'login',
      [
        'action="/auth/login"',
        'href="/login/passkey?redirect=%2Fdashboard"',
        'New user? Register',
        'Forgot Password?',
      ],
    ],
    [
      'register',
      ['action="/auth/register"', 'Create Your Admissions Account', 'Already have an account? Login'],
    ],
    ['forgot-password', ['action="/auth/forgot-password"', 'Request Reset', 'Cancel']],
  ] as const)('in mode %s is an open dialog with a form that posts', (mode, parts) => {
    const rendered = html(mode);
    expect(rendered).toMatch(/<dialog [^>]*open=""/);
    expect(rendered).toContain('method="post"');
    expect(rendered).toContain('href="/masters/apply"');
    for (const part of parts) expect(rendered).toContain(part);
  });

  it('has no styles in the markup, which the content security policy forbids', () => {
    expect(html('register')).not.toContain('style=');
  });

  it('lists the United States first and shows dial codes', () => {
    const select = /<select[^>]*name="country".*?<\/select>/.exec(html('register'))?.[0];
    expect(select).toMatch(/^<select[^>]*><option value="US" selected="">United States \(\+1\)<\/option>/);
    expect(select).toContain('<option value="DE">Germany (+49)</option>');
  });

  it('keeps what was typed and shows errors beside the fields and above them', () => {
    const rendered = html('register', {
      values: { firstName: 'Ada', country: 'DE' },
      errors: { lastName: 'Last name is required.' },
    });
    expect(rendered).toContain('value="Ada"');
    expect(rendered).toContain('<option value="DE" selected="">');
    expect(rendered).toContain('href="#f-lastName"');
    expect(rendered).toMatch(/aria-invalid="true"[^>]*aria-describedby="f-lastName-error"/);
  });

  it('shows the message of a requested reset with the way back', () => {
    const rendered = html('forgot-password', { values: {}, errors: {}, message: 'Look into your mail.' });
    expect(rendered).toContain('Look into your mail.');
    expect(rendered).toContain('Back to Login');
    expect(rendered).not.toContain('<form');
  });

  it('leads to every identity provider, before the passkey, with a document of its own', () => {
    const providers = [
      { href: '/login/sign-on/a', name: 'Google' },
      { href: '/login/sign-on/b', name: 'Demo & sons' },
    ];
    const links = html('login', undefined, providers).match(/<a [^>]*href="\/login\/.*?<\/a>/g) ?? [];
    expect(links).toHaveLength(3);
    expect(links[0]).toContain('href="/login/sign-on/a?redirect=%2Fdashboard"');
    expect(links[0]).toMatch(/Log in with (?:<!-- -->)?Google/);
    expect(links[1]).toMatch(/Log in with (?:<!-- -->)?Demo &amp; sons/);
    expect(links[2]).toContain('Log in with a passkey');
    expect(links.map((link) => link.includes('data-document'))).toEqual([true, true, false]);
    expect(html('register', undefined, providers)).not.toContain('/login/sign-on');
    expect(html('login')).not.toContain('/login/sign-on');
  });

  it('says above the filled-in registration why it came', () => {
    const values = { firstName: 'Ada', email: 'ada@example.com' };
    const rendered = html('register', { values, errors: {}, message: 'There is no account yet.' });
    expect(rendered).toMatch(/There is no account yet\..*value="Ada".*value="ada@example.com"/);
    expect(rendered).toContain('action="/auth/register"');
    expect(rendered).not.toContain('role="alert"');
  });
});
