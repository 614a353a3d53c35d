// Unsaved answers, kept in the browser in case of a lost connection, a closed tab or an empty battery.

import { draftPrefix } from '../../api/local-data';
import { keysWithPrefix, readItem, removeItem, writeItem } from '../../api/storage';
import type { SectionId } from '../../api/page.gen';
import type { Answers } from './answers';

export interface Draft {
  answers: Answers;
  /** The stored answers that these are based on. */
  base: Answers;
  /** Paths at which the applicant still has to choose between the two. */
  conflicts: string[];
  /** Sections that the applicant has completed, so that their defaults are answers too. */
  meant: SectionId[];
  /** Milliseconds since 1970. */
  writtenAt: number;
}

export interface Drafts {
  /** Returns the drafts left by all tabs of this browser, including this one; newest first. */
  find(): Draft[];
  /** Returns false if the browser stores nothing. */
  keep(draft: Draft): boolean;
  /** Removes this tab's draft and those that were found, once everything is saved. */
  clear(): void;
}

/**
 * Drafts of one application. The key contains a hash of the applicant's address, so that no other user of the same
 * browser ever sees them. Each tab writes its own draft: two offline tabs must not overwrite each other.
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
