import type { Page } from '../api/page.gen';
import { ApplicationsPage } from '../features/admin-applications/applications-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminApplications({ page }: { page: Extract<Page, { route: 'adminApplications' }> }) {
  return (
    <OfficeLayout page={page}>
      <ApplicationsPage {...page.props} />
    </OfficeLayout>
  );
}
