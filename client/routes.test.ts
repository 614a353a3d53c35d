import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { routeNames } from './all-screens';
import { officePaths } from './office-screens';
import { expectedScreen, paths, routesWith } from './routes';
import type { Paths } from './routes';
import { loadAll, screenOf } from './screens';

const read = (name: string) => readFileSync(new URL(`../src/${name}`, import.meta.url), 'utf8');
const between = (source: string, start: string, end: string) => {
  const from = source.indexOf(start);
  const to = source.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`${start} is not where it was`);
  return source.slice(from, to);
};
const literals = (source: string) => [...source.matchAll(/"(\/[^"]*)"/g)].map(([, path]) => path!);

/** Paths that answer with a file, or with data for the open screen. */
const FILES = new Set([
  '/dashboard/documents/{id}',
  '/dashboard/references/{id}/letter',
  '/admin-panel/applications/{id}/file',
  '/admin-panel/applications/{id}/preview',
  '/admin-panel/applications/{id}/references/file',
  '/admin-panel/applications/{id}/references/preview',
  '/admin-panel/applications/{id}/presence',
]);
const isFile = (path: string) => FILES.has(path) || /\.(pdf|ics|csv|xlsx|json)$/.test(path);

/** The applicants' paths, as known to the guard and named in the metrics. */
function servedToApplicants(): string[] {
  const mod = read('pages/lib.rs');
  const constant = (name: string) => {
    const [, file, word] = /^(\w+)::(\w+)$/.exec(name)!;
    return new RegExp(`${word}: &str = "([^"]*)"`).exec(read(`pages/${file}.rs`))![1]!;
  };
  const labels = [
    ...between(mod, 'fn label(', '_ => "page"').matchAll(/Route::(\w+)\S* => (?:"([^"]*)"|([\w:]+)),/g),
  ];
  const named = new Map(labels.map(([, route, path, name]) => [route!, path ?? constant(name!)]));
  // The roots are redirects, which have no label.
  named.set('Root', '/');
  named.set('ProgramRoot', '/{program}');
  const routes = between(read('domain/guard.rs'), 'pub enum Route {', '\n}').matchAll(/^ {4}(\w+)/gm);
  for (const [, route] of routes) {
    if (route !== 'Unknown' && route !== 'DashboardUnknown') expect(named.has(route!), route).toBe(true);
  }
  const programs = ['bachelor', 'masters'];
  return [...named.values()].flatMap((path) =>
    path.includes('{program}') ? programs.map((program) => path.replace('{program}', program)) : [path],
  );
}

/** The paths of the office: those of its table, and its root. */
function servedToStaff(): string[] {
  const rows = between(read('pages/admin/table.rs'), 'static ROUTES', '];');
  return ['/admin-panel', ...[...rows.matchAll(/row!\("GET" "([^"]*)"/g)].map(([, path]) => path!)];
}

const shape = (path: string) => path.replace(/\{\w+\}|:\w+/g, '*');
const shapesIn = (table: Paths) =>
  Object.keys(table)
    .filter((path) => !path.endsWith('*'))
    .map(shape)
    .toSorted();

test.each([
  ['applicants', servedToApplicants, paths],
  ['the office', servedToStaff, officePaths],
])('paths of %s are those that the server shows', (_, served, table) => {
  const shown = served()
    .filter((path) => !isFile(path))
    .map(shape);
  expect(shapesIn(table)).toEqual([...new Set(shown)].toSorted());
});

test('every path that the guard knows by its whole name has a screen or is a file', () => {
  const parse = between(read('domain/guard.rs'), 'pub fn parse(', 'let Some(program)');
  const whole = literals(parse.replaceAll(/strip_suffix\("[^"]*"\)/g, '')).filter(
    (path) => path === '/' || !path.endsWith('/'),
  );
  expect(whole.length).toBeGreaterThan(10);
  for (const path of whole) expect(isFile(path) || path in paths, path).toBe(true);
});

test('every screen has a path, except those that answer forms and faults', () => {
  const named = new Set(Object.values({ ...paths, ...officePaths }));
  const without = routeNames.filter((route) => !named.has(route));
  expect(without).toEqual(['recoveryCodes', 'crash', 'adminRecoveryCodes']);
});

test.each([
  ['/', 'apply'],
  ['/masters/apply', 'apply'],
  ['/bachelor/application', 'application'],
  ['/bachelor/application/employment', 'application'],
  ['/bachelor/application/check', 'check'],
  ['/dashboard/account', 'account'],
  ['/admin-panel/login', 'adminLogin'],
  ['/admin-panel/applications/figures', 'adminFigures'],
  ['/admin-panel/applications/7', 'adminApplication'],
  ['/bachelors/apply', undefined],
  ['/admin-panel/applications.csv', undefined],
  ['/api/docs', undefined],
])('%s most likely leads to %s', (path, route) => {
  expect(expectedScreen(routesWith(officePaths), path)).toBe(route);
});

test('a screen is there once it is loaded', async () => {
  expect(() => screenOf('crash')).toThrow('not loaded');
  await Promise.all(routeNames.map(loadAll));
  for (const route of routeNames) expect(screenOf(route).default).toBeTypeOf('function');
});
