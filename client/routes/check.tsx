import type { Page } from '../api/page.gen';
import { CheckPage } from '../features/application/check-page';

export default function Check({ page }: { page: Extract<Page, { route: 'check' }> }) {
  return (
    <CheckPage
      // Answers that have changed are another page to check.
      key={page.props.revision}
      check={page.props}
      applicant={page.shared.viewer?.email ?? ''}
    />
  );
}
