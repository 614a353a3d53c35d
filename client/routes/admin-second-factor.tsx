import type { Page } from '../api/page.gen';
import { SecondFactorPage } from '../features/admin-account/second-factor-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminSecondFactor({ page }: { page: Extract<Page, { route: 'adminSecondFactor' }> }) {
  return (
    <OfficeLayout page={page} bare={page.props.required}>
      <SecondFactorPage {...page.props} />
    </OfficeLayout>
  );
}
