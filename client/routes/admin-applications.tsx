import type { Page } from '../api/page.gen';
import { ApplicationsPage } from '../features/admin-applications/applications-page';

export default function AdminApplications({ page }: { page: Extract<Page, { route: 'adminApplications' }> }) {
  return <ApplicationsPage {...page.props} />;
}
