import type { Page } from '../api/page.gen';
import { OfficeProblemPage } from '../features/admin-problem/problem-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminProblem({ page }: { page: Extract<Page, { route: 'adminProblem' }> }) {
  return (
    <OfficeLayout page={page}>
      <OfficeProblemPage {...page.props} />
    </OfficeLayout>
  );
}
