import type { Page } from '../api/page.gen';
import { OfficeProblemPage } from '../features/admin-problem/problem-page';

export default function AdminProblem({ page }: { page: Extract<Page, { route: 'adminProblem' }> }) {
  return <OfficeProblemPage {...page.props} />;
}
