export interface Matcher {
  /** Whether every word that was typed begins one of the text. */
  matches: (text: string) => boolean;
  /** The text in pieces, of which every second one is what was typed. */
  split: (text: string) => string[];
}

/** Finds what somebody types, word by word. */
export function matcherOf(typed: string): Matcher {
  const words = typed.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const beginning = (word: string) => `(?<![\\p{L}\\p{M}\\p{N}])${word}`;
  const each = words.map((word) => new RegExp(beginning(word), 'iu'));
  // The longest first: of two words one may begin the other.
  const longest = words.toSorted((a, b) => b.length - a.length);
  const any = new RegExp(`(${longest.map(beginning).join('|')})`, 'iu');
  return {
    matches: (text) => each.every((word) => word.test(text)),
    split: (text) => (words.length === 0 ? [text] : text.split(any)),
  };
}
