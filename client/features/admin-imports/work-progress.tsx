import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import type { AdminImportProps, ImportProgress } from '../../api/page.gen';
import type { NavigationAnswer } from '../../api/routes';
import { Progress } from '../../theme/parts/progress';
import { grouped } from '../../ui/format';

/** Polling interval while the page is visible, in milliseconds. */
const EVERY = 1000;

interface WorkProgressProps {
  href: string;
  state: AdminImportProps['state'];
  progress: ImportProgress;
}

/** How far the work in the background is. When it is done, the page shows what came of it. */
export function WorkProgress({ href, state, progress }: WorkProgressProps) {
  const navigate = useNavigate();
  // Counts received since this page was loaded; another page starts with its own.
  const [told, setTold] = useState({ since: progress, progress });
  const { done, of } = told.since === progress ? told.progress : progress;
  useEffect(() => {
    let isOver = false;
    let timer = setTimeout(ask, EVERY);
    async function ask() {
      const now = document.hidden ? undefined : await load(href);
      if (isOver) return;
      if (now && now.state !== state) {
        void navigate(href, { replace: true, preventScrollReset: true });
        return;
      }
      if (now?.progress) setTold({ since: progress, progress: now.progress });
      timer = setTimeout(ask, EVERY);
    }
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [href, state, progress, navigate]);
  const title = titles[state];
  return (
    <section className="stack-small import-progress" aria-labelledby="progress-heading">
      <h2 id="progress-heading">{title}</h2>
      <Progress value={done} max={Math.max(of, 1)} aria-label={title} />
      <p>{`${grouped(done)} of ${grouped(of)} rows`}</p>
      <p className="hint">You can leave this page: the work goes on by itself.</p>
    </section>
  );
}

const titles = {
  mapping: 'Rows',
  checking: 'Checking the rows',
  checked: 'Rows',
  running: 'Importing the rows',
  done: 'Rows',
  undoing: 'Undoing the import',
  undone: 'Rows',
} as const;

/** Returns the present state of the import; undefined if that is not known. */
async function load(href: string): Promise<AdminImportProps | undefined> {
  try {
    const answer = await fetch(href, { headers: { Accept: 'application/json' } });
    const found = (await answer.json()) as NavigationAnswer;
    return 'route' in found && found.route === 'adminImport' ? found.props : undefined;
  } catch {
    // Offline: the next try will show it.
    return undefined;
  }
}
