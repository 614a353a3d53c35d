import type { Page } from '../api/page.gen';
import { FundingTab } from '../features/admin-funding/funding-tab';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminFunding({ page }: { page: Extract<Page, { route: 'adminFunding' }> }) {
  return (
    <OfficeLayout page={page}>
      <FundingTab {...page.props} />
    </OfficeLayout>
  );
}
