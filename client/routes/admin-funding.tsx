import type { Page } from '../api/page.gen';
import { FundingTab } from '../features/admin-funding/funding-tab';

export default function AdminFunding({ page }: { page: Extract<Page, { route: 'adminFunding' }> }) {
  return <FundingTab {...page.props} />;
}
