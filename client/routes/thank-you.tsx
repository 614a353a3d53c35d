import type { Page } from '../api/page.gen';
import { ThankYouPage } from '../features/thank-you/thank-you-page';
import { Layout } from '../ui/layout';

export default function ThankYou({ page }: { page: Extract<Page, { route: 'thankYou' }> }) {
  return (
    <Layout page={page}>
      <ThankYouPage {...page.props} contactEmail={page.shared.contactEmail} />
    </Layout>
  );
}
