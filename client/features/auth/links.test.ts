import { describe, expect, it } from 'vitest';
import { dialogHref, dialogMode } from './links';

describe('the address of the dialog', () => {
  it.each([
    ['login', '/bachelor/apply?dialog=login'],
    ['register', '/bachelor/apply?dialog=register'],
    ['forgot-password', '/bachelor/apply?dialog=forgot'],
  ] as const)('of %s is %s, and is read back', (mode, href) => {
    expect(dialogHref('/bachelor/apply', mode)).toBe(href);
    expect(dialogMode(href.slice(href.indexOf('?')))).toBe(mode);
  });

  it('carries the redirect target', () => {
    expect(dialogHref('/masters/apply', 'login', '/dashboard/account?x=1')).toBe(
      '/masters/apply?dialog=login&redirect=%2Fdashboard%2Faccount%3Fx%3D1',
    );
  });

  it.each(['', '?dialog=', '?dialog=admin', '?dialog=constructor'])('%j asks for no dialog', (search) => {
    expect(dialogMode(search)).toBeNull();
  });
});
