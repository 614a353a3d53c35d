import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { defaults } from './answers';
import { draftsOf } from './drafts';

const draft = (writtenAt: number) => ({
  answers: defaults,
  base: defaults,
  conflicts: [],
  meant: [],
  writtenAt,
});

/** A fake of the browser's storage, whose entries are own properties as in the real one. */
function storage(): Storage {
  const methods = {
    getItem(this: Record<string, string>, key: string) {
      return this[key] ?? null;
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = value;
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key];
    },
  };
  return Object.create(methods) as Storage;
}

beforeEach(() => {
  vi.stubGlobal('localStorage', storage());
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('drafts', () => {
  test('of every tab are found, the newest first', () => {
    draftsOf('app-1', 'demo@example.com', 'a').keep(draft(1));
    draftsOf('app-1', 'Demo@example.com', 'b').keep(draft(2));
    const found = draftsOf('app-1', 'demo@example.com', 'c').find();
    expect(found.map((each) => each.writtenAt)).toEqual([2, 1]);
  });

  test('of another applicant or application are not', () => {
    draftsOf('app-1', 'demo@example.com', 'a').keep(draft(1));
    expect(draftsOf('app-1', 'sample@example.com', 'a').find()).toEqual([]);
    expect(draftsOf('app-2', 'demo@example.com', 'a').find()).toEqual([]);
  });

  test('that were found are cleared with the own one, those of other tabs stay', () => {
    const [left, own, other] = ['left', 'own', 'other'].map((tab) =>
      draftsOf('app-1', 'demo@example.com', tab),
    );
    left!.keep(draft(1));
    own!.find();
    own!.keep(draft(2));
    other!.keep(draft(3));
    own!.clear();
    expect(Object.keys(localStorage)).toHaveLength(1);
    expect(other!.find()).toHaveLength(1);
  });

  test('that cannot be read are ignored', () => {
    const drafts = draftsOf('app-1', 'demo@example.com', 'a');
    drafts.keep(draft(1));
    for (const key of Object.keys(localStorage)) localStorage.setItem(key, '{"answers":');
    expect(drafts.find()).toEqual([]);
  });

  test('a browser that keeps nothing says so', () => {
    vi.stubGlobal('localStorage', undefined);
    const drafts = draftsOf('app-1', 'demo@example.com', 'a');
    expect(drafts.keep(draft(1))).toBe(false);
    expect(drafts.find()).toEqual([]);
    drafts.clear();
  });
});
