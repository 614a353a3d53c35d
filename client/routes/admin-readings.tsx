import type { Page } from '../api/page.gen';
import { ReadingsPage } from '../features/admin-application/readings-page';

export default function AdminReadings({ page }: { page: Extract<Page, { route: 'adminReadings' }> }) {
  return <ReadingsPage {...page.props} />;
}
