import type { Page } from '../api/page.gen';
import { DashboardPage, DashboardSide } from '../features/dashboard/dashboard-page';
import { Layout } from '../ui/layout';

export default function Dashboard({ page }: { page: Extract<Page, { route: 'dashboard' }> }) {
  return (
    <Layout page={page} nav="dashboard" current="dashboard" side={<DashboardSide {...page.props} />}>
      <DashboardPage {...page.props} />
    </Layout>
  );
}
