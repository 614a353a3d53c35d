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

/**
 * Emotion's cache in the browser. Like its part of the stylesheets, what it inserts comes before our own rules. What the stylesheets have already counts as inserted; what opens later is inserted with
 * the nonce of the document, into a sheet that is written rule by rule, so that a document without a nonce can do it too.
 */
export function createStyleCache(): EmotionCache {
  const { nonce } = document.querySelector<HTMLScriptElement>('script[nonce]') ?? {};
  const cache = createCache({ key: 'css', speedy: true, prepend: true, ...(nonce ? { nonce } : {}) });
  for (const sheet of document.styleSheets) {
    for (const name of classesIn(sheet.cssRules)) cache.inserted[name] = true;
  }
  return cache;
}
