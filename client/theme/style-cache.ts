import createCache from '@emotion/cache';
import type { EmotionCache } from '@emotion/cache';

/** The names of all classes of emotion in some rules. */
function* classesIn(rules: CSSRuleList): Generator<string> {
  for (const rule of rules) {
    if (rule instanceof CSSStyleRule) {
      for (const [, name] of rule.selectorText.matchAll(/\.css-([a-z\d]+)/g)) if (name) yield name;
    } else if (rule instanceof CSSGroupingRule) yield* classesIn(rule.cssRules);
  }
}

/** Emotion's cache in the browser, which knows what the stylesheets have. */
export interface StyleCache {
  cache: EmotionCache;
  /** What is rendered from now on was not rendered by the server. */
  hydrated: () => void;
  /** Reads the stylesheets, unless something new was rendered before. */
  readSheets: () => void;
}

/**
 * Like its part of the stylesheets, what the cache inserts comes before our own rules. What the stylesheets have already counts as
 * inserted; what opens later is inserted with the nonce of the document, into a sheet that is written rule by rule, so that a
 * document without a nonce can do it too. Reading every rule takes longer than anything else on the way to a page that answers, so
 * that it is put off: what the server has rendered has its styles.
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
