import createCache from '@emotion/cache';
import type { EmotionCache } from '@emotion/cache';

/** Yields the names of all emotion classes in the rules. */
function* classesIn(rules: CSSRuleList): Generator<string> {
  for (const rule of rules) {
    if (rule instanceof CSSStyleRule) {
      for (const [, name] of rule.selectorText.matchAll(/\.css-([a-z\d]+)/g)) if (name) yield name;
    } else if (rule instanceof CSSGroupingRule) yield* classesIn(rule.cssRules);
  }
}

/** Emotion's cache in the browser, which knows the classes in the stylesheets. */
export interface StyleCache {
  cache: EmotionCache;
  /** Marks the end of hydration: later renders were not done by the server. */
  hydrated: () => void;
  /** Reads the stylesheets, unless a new render has already done so. */
  readSheets: () => void;
}

/**
 * Creates the cache. Like its share of the stylesheets, what it inserts comes before our own rules. Classes in the
 * stylesheets count as inserted; new ones are inserted with the document's nonce, into a sheet written rule by rule, so
 * that it works in a document without a nonce too. Reading every rule takes longer than anything else until a page
 * responds, so it is deferred: what the server has rendered has its styles.
 */
export function createStyleCache(isHydrating: boolean): StyleCache {
  const { nonce } = document.querySelector<HTMLScriptElement>('script[nonce]') ?? {};
  const cache = createCache({ key: 'css', speedy: true, prepend: true, ...(nonce ? { nonce } : {}) });
  const inserted = cache.inserted;
  let areRead = false;
  function readSheets() {
    if (areRead) return;
    areRead = true;
    for (const sheet of document.styleSheets) {
      for (const name of classesIn(sheet.cssRules)) inserted[name] ??= true;
    }
  }
  cache.inserted = new Proxy(inserted, {
    get(known, name: string) {
      if (known[name] === undefined) {
        if (isHydrating) known[name] = true;
        else readSheets();
      }
      return known[name];
    },
  });
  return { cache, readSheets, hydrated: () => (isHydrating = false) };
}
