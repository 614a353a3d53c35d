import { useNavigate } from 'react-router';
import type { AdminApplicationsProps } from '../../api/page.gen';
import { withLayout } from './layout';
import type { Layout } from './layout';

const PATH = '/admin-panel/applications';

/**
 * Shows the list with other columns. They are stored for the user; a saved view has its own columns, and the list then
 * switches to an unsaved view.
 */
export function useLayout({ views, here }: Pick<AdminApplicationsProps, 'views' | 'here'>) {
  const navigate = useNavigate();
  const isSaved = views.all.some(({ current }) => current);
  const show = (view: string) => navigate(`${PATH}?${view}`, { replace: true, preventScrollReset: true });

  return async function showLayout(layout: Layout) {
    const view = withLayout(here, layout);
    const isKept = !isSaved && (await keep(view));
    await show(isKept ? withLayout(here, { columns: [], nameWidth: null }) : view);
  };
}

/** Stores the columns and returns whether that worked. Otherwise they stay in the address. */
async function keep(view: string): Promise<boolean> {
  const body = new URLSearchParams({ here: view, _action: 'columns', quiet: 'yes' });
  try {
    const answer = await fetch(`${PATH}/views`, { method: 'POST', body, redirect: 'manual' });
    return answer.type === 'opaqueredirect';
  } catch {
    return false;
  }
}
