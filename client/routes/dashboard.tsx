import type { Page } from '../api/page.gen';
import { DashboardPage, DashboardSide } from '../features/dashboard/dashboard-page';
import type { Frame } from '../ui/layout';

export const frame = (): Frame => ({ menu: 'dashboard' });

export default function Dashboard({ page }: { page: Extract<Page, { route: 'dashboard' }> }) {
  return (
    <div className="columns">
      <div className="column-main">
        <DashboardPage {...page.props} />
      </div>
      <aside>
        <DashboardSide {...page.props} />
      </aside>
    </div>
  );
}
