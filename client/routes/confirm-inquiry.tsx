import type { Page } from '../api/page.gen';
import { ConfirmInquiryPage } from '../features/prospects/confirm-inquiry-page';

export default function ConfirmInquiry({ page }: { page: Extract<Page, { route: 'confirmInquiry' }> }) {
  return <ConfirmInquiryPage {...page.props} program={page.shared.program} />;
}
