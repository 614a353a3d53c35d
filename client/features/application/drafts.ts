// Answers that are not on the server yet, kept in the browser: through a lost connection, a closed tab, a flat battery.

import { draftPrefix } from '../../api/local-data';
import { keysWithPrefix, readItem, removeItem, writeItem } from '../../api/storage';
import type { SectionId } from '../../api/page.gen';
import type { Answers } from './answers';

export interface Draft {
  answers: Answers;
  /** The stored answers that these were made from. */
  base: Answers;
  /** Paths at which the person still has to choose between the two. */
  conflicts: string[];
  /** Sections that the person is done with, so that the defaults in them are answers too. */
  meant: SectionId[];
  /** Milliseconds since 1970. */
  writtenAt: number;
}

export interface Drafts {
  /** What tabs of this browser have left behind, this one included; the newest first. */
  find(): Draft[];
  /** False when the browser keeps nothing. */
  keep(draft: Draft): boolean;
  /** All is saved: this tab's draft and those that were found are no longer needed. */
  clear(): void;
}

/**
 * The drafts of one application. The key has the applicant's address in it, as a hash, so that nobody else who uses
 * the same browser is ever shown them. Each tab writes a draft of its own: two that are offline must not overwrite
 * each other.
 */
export function draftsOf(applicationId: string, applicant: string, tab: string): Drafts {
  const prefix = draftPrefix(applicationId, applicant);
  const own = prefix + tab;
  const owned = new Set([own]);
  return {
    find() {
      const found: Draft[] = [];
      for (const key of keysWithPrefix(prefix)) {
        const draft = parse(readItem(key));
        owned.add(key);
        if (draft) found.push(draft);
      }
      return found.toSorted((a, b) => b.writtenAt - a.writtenAt);
    },
    keep: (draft) => writeItem(own, JSON.stringify(draft)),
    clear() {
      for (const key of owned) removeItem(key);
      owned.clear();
      owned.add(own);
    },
  };
}

function parse(text: string | null): Draft | null {
  if (text === null) return null;
  try {
    const draft = JSON.parse(text) as Partial<Draft> | null;
    return draft?.answers && draft.base && Array.isArray(draft.conflicts)
      ? {
          answers: draft.answers,
          base: draft.base,
          conflicts: draft.conflicts,
          meant: draft.meant ?? [],
          writtenAt: draft.writtenAt ?? 0,
        }
      : null;
  } catch {
    return null;
  }
}
