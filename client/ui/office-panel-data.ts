import { useEffect, useState } from 'react';
import type {
  AdminApplicationProps,
  ListRow,
  OfficeDocument,
  OfficeNote,
  OfficeReferences,
  Page,
  ProblemProps,
} from '../api/page.gen';
import type { NavigationAnswer, RouteName, Routes } from '../api/routes';
import { dossierHref } from './office-dossier';

/** Milliseconds that a row must stay selected before it is requested: passing over it requests nothing. */
const PASSING = 60;
/** Milliseconds after which the previous application gives way to one that is still loading. */
const LATE = 100;

/** The data of an application in the side panel, as far as loaded and visible to the role. */
export interface Preview extends Pick<AdminApplicationProps, 'frame' | 'person' | 'sections'> {
  documents?: OfficeDocument[];
  references?: OfficeReferences | null;
  notes?: OfficeNote[];
}

/** Why there is nothing to show: no answer, login required, or the server's reason. */
export type Trouble = { kind: 'away' | 'login' } | ({ kind: 'problem' } & ProblemProps);

export interface Shown {
  row: ListRow;
  preview?: Preview | undefined;
  trouble?: Trouble;
  /** Nothing has arrived for a while. */
  isLate?: boolean;
}

class Failed extends Error {
  constructor(readonly trouble: Trouble) {
    super(trouble.kind);
  }
}

/** Fetches the data of a page, as following a link to it would. */
async function fetchProps<R extends RouteName>(
  href: string,
  route: R,
  signal: AbortSignal,
): Promise<Routes[R]> {
  const response = await fetch(href, { headers: { Accept: 'application/json' }, signal });
  const answer = (await response.json()) as NavigationAnswer;
  if ('redirect' in answer) throw new Failed({ kind: 'login' });
  const page: Page = answer;
  // The props match the route, which the union's type cannot express.
  if (page.route === route) return page.props as Routes[R];
  if (page.route === 'adminProblem') throw new Failed({ kind: 'problem', ...page.props });
  throw new Failed({ kind: 'away' });
}

/** Loaded previews by row. Every answer of the list has new rows, so an entry lasts until the next answer. */
const read = new WeakMap<ListRow, Preview>();

/**
 * Returns what is known about a row's application. While another one is loading, the previous one stays for a moment;
 * one loaded before shows immediately, and is reloaded.
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
        // Data of a tab that the role lacks is not requested: that would be refused, and recorded as an attempt.
        const has = (tab: (typeof frame.tabs)[number]) => frame.tabs.includes(tab);
        await Promise.all([
          has('/documents') &&
            fetchProps(dossierHref(frame, '/documents'), 'adminDocuments', signal).then(
              ({ slots, others, references }) => tell({ documents: [...slots, ...others], references }),
            ),
          has('/notes') &&
            fetchProps(dossierHref(frame, '/notes'), 'adminNotes', signal).then(({ notes }) =>
              tell({ notes }),
            ),
        ]);
      } catch (thrown) {
        if (signal.aborted) return;
        const trouble: Trouble = thrown instanceof Failed ? thrown.trouble : { kind: 'away' };
        // What was loaded remains useful unless the server says otherwise.
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
