export interface Matcher {
  /** Whether every typed word is the beginning of a word in the text. */
  matches: (text: string) => boolean;
  /** Splits the text into pieces, every second one of which is a match. */
  split: (text: string) => string[];
}

/** Creates a matcher for typed text, word by word. */
export function matcherOf(typed: string): Matcher {
  const words = typed.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const beginning = (word: string) => `(?<![\\p{L}\\p{M}\\p{N}])${word}`;
  const each = words.map((word) => new RegExp(beginning(word), 'iu'));
  // Longest first: one word may be the beginning of another.
  const longest = words.toSorted((a, b) => b.length - a.length);
  const any = new RegExp(`(${longest.map(beginning).join('|')})`, 'iu');
  return {
    matches: (text) => each.every((word) => word.test(text)),
    split: (text) => (words.length === 0 ? [text] : text.split(any)),
  };
}
