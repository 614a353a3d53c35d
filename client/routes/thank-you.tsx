import type { Page } from '../api/page.gen';
import { ThankYouPage } from '../features/thank-you/thank-you-page';

export default function ThankYou({ page }: { page: Extract<Page, { route: 'thankYou' }> }) {
  return <ThankYouPage {...page.props} contactEmail={page.shared.contactEmail} />;
}
