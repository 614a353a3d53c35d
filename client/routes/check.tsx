import type { Page } from '../api/page.gen';
import { CheckPage } from '../features/application/check-page';
import { Layout } from '../ui/layout';

export default function Check({ page }: { page: Extract<Page, { route: 'check' }> }) {
  return (
    <Layout page={page}>
      <CheckPage check={page.props} />
    </Layout>
  );
}
