// Parts of screens that are fetched separately, since most visits to the screen do not need them.
import { createElement, useEffect, useState } from 'react';
import type { ComponentType } from 'react';

/** A component in its own chunk. Renders nothing until it is loaded. */
export type Part<P extends object> = ComponentType<P> & {
  /** Rejects if the chunk cannot be fetched. */
  load: () => Promise<void>;
};

/** Creates a part from what `fetch` imports. `client/screens.ts` loads it with the pages that show it. */
export function part<P extends object>(fetch: () => Promise<ComponentType<P>>): Part<P> {
  let Loaded: ComponentType<P> | undefined;
  async function load() {
    Loaded ??= await fetch();
  }
  function Loading(props: P) {
    const [, setLoaded] = useState(false);
    useEffect(() => {
      // If it cannot be fetched, nothing is shown; the page itself reports that the network is down.
      if (!Loaded)
        load().then(
          () => setLoaded(true),
          () => undefined,
        );
    }, []);
    return Loaded ? createElement(Loaded, props) : null;
  }
  return Object.assign(Loading, { load });
}
