import type { Page } from '../api/page.gen';
import { LetterPage } from '../features/dashboard/letter-page';
import { Layout } from '../ui/layout';

export default function Letter({ page }: { page: Extract<Page, { route: 'letter' }> }) {
  const { institute, contactEmail } = page.shared;
  return (
    <Layout page={page} nav="dashboard" current="dashboard">
      <LetterPage {...page.props} institute={institute} contactEmail={contactEmail} />
    </Layout>
  );
}
