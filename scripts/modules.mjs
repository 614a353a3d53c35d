// When the modules of a server's bundle last changed, in a development run. What one page is made of, and so the styles that it
// uses, is the same as long as no module that its screen imports is another.
import { statSync } from 'node:fs';
import { join } from 'node:path';

/** A screen, of which the bundle has all. */
const SCREEN = /^client\/routes\/([\w-]+)\.tsx$/;
/** Where the bundle begins. */
const ENTRY = 'ssr/entry.tsx';
/** Milliseconds by which the clock of the file system may be behind. */
const SLACK = 20;

const routeOf = (path) => SCREEN.exec(path)?.[1].replace(/-(.)/g, (_, letter) => letter.toUpperCase());

/** All that a module imports, directly or not; of screens only itself. */
function reached(inputs, from, all = new Set()) {
  all.add(from);
  for (const { path } of inputs[from].imports) {
    if (path in inputs && !all.has(path) && !routeOf(path)) reached(inputs, path, all);
  }
  return all;
}

/** Of one run. `root` is where paths begin. */
export function modules(root) {
  /** By path: how the file was, and the build that had it first. */
  let known = new Map();
  let builds = 0;
  let versions = new Map();

  /** How a file is, by the time of its last change. What may have changed since `start` is like nothing else. */
  function stateOf(path, start) {
    const file = statSync(join(root, path), { throwIfNoEntry: false });
    return file && file.ctimeMs < start - SLACK ? `${file.ctimeMs} ${file.size} ${file.ino}` : undefined;
  }

  return {
    /** Takes what a build that began at `start` says of its inputs. */
    note(inputs, start) {
      builds += 1;
      const next = new Map();
      for (const [path, { imports }] of Object.entries(inputs)) {
        const file = stateOf(path, start);
        const state = file && `${file} ${imports.map((imported) => imported.path)}`;
        const last = known.get(path);
        next.set(path, {
          state,
          since: last?.state !== undefined && last.state === state ? last.since : builds,
        });
      }
      known = next;
      const versionOf = (paths) => {
        const since = [...paths].map((path) => known.get(path).since);
        return `${Math.max(...since)}`;
      };
      const shared = versionOf(reached(inputs, ENTRY));
      versions = new Map([[undefined, shared]]);
      for (const path of Object.keys(inputs).filter(routeOf))
        versions.set(routeOf(path), `${shared} ${versionOf(reached(inputs, path))}`);
    },
    /** What stays the same from one build to the next as long as pages of a route do; without one, all that they share. */
    versionOf: (route) => versions.get(route),
  };
}
