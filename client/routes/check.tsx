import type { Page } from '../api/page.gen';
import { CheckPage } from '../features/application/check-page';

export default function Check({ page }: { page: Extract<Page, { route: 'check' }> }) {
  return (
    <CheckPage
      // Changed answers have to be checked anew.
      key={page.props.revision}
      check={page.props}
      applicant={page.shared.viewer?.email ?? ''}
    />
  );
}
