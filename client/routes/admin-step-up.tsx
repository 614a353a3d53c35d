import type { Page } from '../api/page.gen';
import { StepUpPage } from '../features/admin-login/step-up-page';

export default function AdminStepUp({ page }: { page: Extract<Page, { route: 'adminStepUp' }> }) {
  return <StepUpPage {...page.props} />;
}
