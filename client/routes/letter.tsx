import type { Page } from '../api/page.gen';
import { LetterPage } from '../features/dashboard/letter-page';
import type { Frame } from '../ui/layout';

export const frame = (): Frame => ({ menu: 'dashboard' });

export default function Letter({ page }: { page: Extract<Page, { route: 'letter' }> }) {
  const { institute, contactEmail } = page.shared;
  return <LetterPage {...page.props} institute={institute} contactEmail={contactEmail} />;
}
