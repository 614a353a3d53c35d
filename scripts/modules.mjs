// Tracks when the modules of a server bundle last changed, in a development run. The output of a page, and therefore
// the styles it uses, is the same while no module imported by its screen has changed.
import { statSync } from 'node:fs';
import { join } from 'node:path';

/** A screen; the bundle contains all of them. */
const SCREEN = /^client\/routes\/([\w-]+)\.tsx$/;
/** Entry point of the bundle. */
const ENTRY = 'ssr/entry.tsx';
/** Milliseconds by which the file system's clock may lag behind. */
const SLACK = 20;

const routeOf = (path) => SCREEN.exec(path)?.[1].replace(/-(.)/g, (_, letter) => letter.toUpperCase());

/** Returns everything that a module imports, directly or not, excluding other screens. */
function reached(inputs, from, all = new Set()) {
  all.add(from);
  for (const { path } of inputs[from].imports) {
    if (path in inputs && !all.has(path) && !routeOf(path)) reached(inputs, path, all);
  }
  return all;
}

/** Creates the tracker of one run. `root` is the base of all paths. */
export function modules(root) {
  /** By path: the state of the file, and the build that first had it. */
  let known = new Map();
  let builds = 0;
  let versions = new Map();

  /** Returns the state of a file, by its last change; undefined if it may have changed since `start`. */
  function stateOf(path, start) {
    const file = statSync(join(root, path), { throwIfNoEntry: false });
    return file && file.ctimeMs < start - SLACK ? `${file.ctimeMs} ${file.size} ${file.ino}` : undefined;
  }

  return {
    /** Records the inputs of a build that began at `start`. */
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
    /**
     * Returns a value that stays the same between builds while a route's pages do; without a route, for what all share.
     */
    versionOf: (route) => versions.get(route),
  };
}
