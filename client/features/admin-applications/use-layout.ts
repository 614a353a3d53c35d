import { useNavigate } from 'react-router';
import type { AdminApplicationsProps } from '../../api/page.gen';
import { withLayout } from './layout';
import type { Layout } from './layout';

const PATH = '/admin-panel/applications';

/**
 * Shows the list with other columns. They are kept for whoever chose them; a saved view has columns of its own, and is left for one
 * that is not saved.
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

/** Whether they are kept: what is not is in the address. */
async function keep(view: string): Promise<boolean> {
  const body = new URLSearchParams({ here: view, _action: 'columns', quiet: 'yes' });
  try {
    const answer = await fetch(`${PATH}/views`, { method: 'POST', body, redirect: 'manual' });
    return answer.type === 'opaqueredirect';
  } catch {
    return false;
  }
}
