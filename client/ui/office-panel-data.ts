import { useEffect, useState } from 'react';
import type {
  AdminApplicationProps,
  ListRow,
  OfficeDocument,
  OfficeNote,
  Page,
  ProblemProps,
} from '../api/page.gen';
import type { NavigationAnswer, RouteName, Routes } from '../api/routes';
import { dossierHref } from './office-dossier';

/** Milliseconds that somebody stays on a row before it is asked for: who only passes asks for nothing. */
const PASSING = 60;
/** Milliseconds after which the application before gives way to one that is still on its way. */
const LATE = 100;

/** What is read of an application beside the list, as far as it is there and the role has it. */
export interface Preview extends Pick<AdminApplicationProps, 'frame' | 'person' | 'sections'> {
  documents?: OfficeDocument[];
  notes?: OfficeNote[];
}

/** Why there is nothing to read: no answer, somebody who is to log in first, or what the server says. */
export type Trouble = { kind: 'away' | 'login' } | ({ kind: 'problem' } & ProblemProps);

export interface Shown {
  row: ListRow;
  preview?: Preview | undefined;
  trouble?: Trouble;
  /** Nothing has come for a while. */
  isLate?: boolean;
}

class Failed extends Error {
  constructor(readonly trouble: Trouble) {
    super(trouble.kind);
  }
}

/** The data of a page, as following a link to it would fetch them. */
async function fetchProps<R extends RouteName>(
  href: string,
  route: R,
  signal: AbortSignal,
): Promise<Routes[R]> {
  const response = await fetch(href, { headers: { Accept: 'application/json' }, signal });
  const answer = (await response.json()) as NavigationAnswer;
  if ('redirect' in answer) throw new Failed({ kind: 'login' });
  const page: Page = answer;
  // The props belong to the route, which the union's type cannot say.
  if (page.route === route) return page.props as Routes[R];
  if (page.route === 'adminProblem') throw new Failed({ kind: 'problem', ...page.props });
  throw new Failed({ kind: 'away' });
}

/** What was read, by the row that it belongs to: every answer of the list has rows of its own, so it holds until then. */
const read = new WeakMap<ListRow, Preview>();

/**
 * What is known of the application of a row. While another one is on its way the one before stays for a moment; what was read
 * before shows at once, and is read anew.
 */
export function usePreview(row: ListRow, href: string): Shown & { again: () => void } {
  const [shown, setShown] = useState<Shown>({ row, preview: read.get(row) });
  const [retried, setRetried] = useState<{ row?: ListRow }>({});
  useEffect(() => {
    const passed = new AbortController();
    const { signal } = passed;
    const tell = (news: Partial<Preview>) => {
      if (signal.aborted) return;
      const preview = { ...read.get(row), ...news } as Preview;
      read.set(row, preview);
      setShown({ row, preview });
    };
    const load = async () => {
      try {
        const { frame, person, sections } = await fetchProps(href, 'adminApplication', signal);
        tell({ frame, person, sections });
        // What a role has no tab of is not asked for: it would be refused, and written down as tried.
        const has = (tab: (typeof frame.tabs)[number]) => frame.tabs.includes(tab);
        await Promise.all([
          has('/documents') &&
            fetchProps(dossierHref(frame, '/documents'), 'adminDocuments', signal).then(({ slots, others }) =>
              tell({ documents: [...slots, ...others] }),
            ),
          has('/notes') &&
            fetchProps(dossierHref(frame, '/notes'), 'adminNotes', signal).then(({ notes }) =>
              tell({ notes }),
            ),
        ]);
      } catch (thrown) {
        if (signal.aborted) return;
        const trouble: Trouble = thrown instanceof Failed ? thrown.trouble : { kind: 'away' };
        // What was read is of use as long as nothing says otherwise.
        if (trouble.kind !== 'away') read.delete(row);
        setShown({ row, preview: read.get(row), trouble });
      }
    };
    const start = setTimeout(() => void load(), retried.row === row ? 0 : PASSING);
    const late = setTimeout(
      () =>
        setShown((now) => {
          const isSame = now.row.id === row.id && (now.preview || now.trouble);
          return isSame ? now : { row, preview: read.get(row), isLate: true };
        }),
      LATE,
    );
    return () => {
      passed.abort();
      clearTimeout(start);
      clearTimeout(late);
    };
  }, [row, href, retried]);
  const known = read.get(row);
  return {
    ...(known && shown.row.id !== row.id ? { row, preview: known } : shown),
    again: () => {
      setShown({ row, preview: known, isLate: true });
      setRetried({ row });
    },
  };
}
