// The layers of `client` and `ssr` (docs/architecture.md): a file imports only from its own layer and from those below.
// Between Rust crates cargo enforces the same order.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** From the bottom up. */
const FLOORS = [
  /^client\/(?:api|theme|ui)\//,
  /^client\/features\/[^/]+\//,
  /^client\/routes\//,
  /^client\/[^/]+$/,
  /^ssr\//,
];

const floorOf = (file: string) => FLOORS.findIndex((floor) => floor.test(file));
const featureOf = (file: string) => /^client\/features\/([^/]+)/.exec(file)?.[1];

/** Returns the imports that the file may not have. */
function faults(file: string, source: string): string[] {
  const floor = floorOf(file);
  if (floor < 0) return [`${file} is on no floor`];
  return ts
    .preProcessFile(source)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => path.posix.join(path.posix.dirname(file), name))
    .filter((target) => {
      // Any component with links may import how to navigate; it imports no screen.
      if (target === 'client/navigation') return false;
      const below = floorOf(target);
      const feature = featureOf(file);
      return below < 0 || below > floor || (feature && featureOf(target) && featureOf(target) !== feature);
    })
    .map((target) => `${file} may not import ${target}`);
}

test('every file imports from its own floor and those below', () => {
  const files = ['client', 'ssr']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.posix.join(folder, name)),
    )
    .filter((file) => /\.tsx?$/.test(file));
  expect(files.length).toBeGreaterThan(300);
  expect(files.flatMap((file) => faults(file, readFileSync(file, 'utf8')))).toEqual([]);
});

test.each([
  ['client/ui/button.tsx', "import { a } from '../features/auth/links';"],
  ['client/features/auth/links.ts', "import type { A } from '../apply/apply-page';"],
  ['client/features/auth/links.ts', 'export * from "../../routes/apply";'],
  ['client/features/auth/links.ts', "const a = await import('../../entry');"],
  ['client/routes/apply.tsx', "import {\n  a,\n  b,\n} from '../routes';"],
  ['client/entry.tsx', "import '../ssr/faults';"],
  ['client/elsewhere/a.ts', ''],
])('%s: %s imports from above', (file, source) => expect(faults(file, source)).toHaveLength(1));

test.each([
  ['client/ui/layout.tsx', "import { useNavigation } from '../navigation'; import { useId } from 'react';"],
  ['client/features/auth/links.ts', "import { b } from './draft'; import { c } from '../../api/page.gen';"],
  [
    'client/routes/apply.tsx',
    "import { a } from '../features/auth/links'; import { b } from '../ui/layout';",
  ],
  ['client/routes.tsx', "const apply = () => import('./routes/apply');"],
  ['ssr/entry.tsx', "import { App } from '../client/app'; import './faults';"],
])('%s: %s is allowed', (file, source) => expect(faults(file, source)).toEqual([]));
