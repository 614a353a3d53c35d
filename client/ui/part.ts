// Parts of screens that are fetched apart, since most visits to the screen do without them.
import { createElement, useEffect, useState } from 'react';
import type { ComponentType } from 'react';

/** A component in a chunk of its own. Rendered before it is loaded, it shows nothing until it is. */
export type Part<P extends object> = ComponentType<P> & {
  /** Rejects when the chunk cannot be fetched. */
  load: () => Promise<void>;
};

/** Makes a part of what `fetch` imports. `client/screens.ts` loads it with the pages that show it. */
export function part<P extends object>(fetch: () => Promise<ComponentType<P>>): Part<P> {
  let Loaded: ComponentType<P> | undefined;
  async function load() {
    Loaded ??= await fetch();
  }
  function Loading(props: P) {
    const [, setLoaded] = useState(false);
    useEffect(() => {
      // What cannot be fetched stays away; the page says itself that the network is.
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
