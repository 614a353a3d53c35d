import { expect, test } from 'vitest';
import { guessRoute, load, routeNames, screenOf } from './routes';

test.each([
  ['/', 'apply'],
  ['/masters/apply', 'apply'],
  ['/bachelor/application', 'application'],
  ['/dashboard/account', 'account'],
  ['/admin-panel/login', 'adminLogin'],
  ['/bachelors/apply', undefined],
  ['/api/docs', undefined],
])('%s most likely leads to %s', (path, route) => {
  expect(guessRoute(path)).toBe(route);
});

test('a screen is there once it is loaded', async () => {
  expect(() => screenOf('crash')).toThrow('not loaded');
  await Promise.all(routeNames.map(load));
  for (const route of routeNames) expect(screenOf(route)).toBeTypeOf('function');
});
