import type { Page } from '../api/page.gen';
import { InquirePage } from '../features/prospects/inquire-page';

export default function Inquire({ page }: { page: Extract<Page, { route: 'inquire' }> }) {
  return <InquirePage {...page.props} />;
}
