import type { Page } from '../api/page.gen';
import { StepUpPage } from '../features/admin-login/step-up-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminStepUp({ page }: { page: Extract<Page, { route: 'adminStepUp' }> }) {
  return (
    <OfficeLayout page={page}>
      <StepUpPage {...page.props} />
    </OfficeLayout>
  );
}
