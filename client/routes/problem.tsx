import type { Page } from '../api/page.gen';
import { ProblemPage } from '../features/problem/problem-page';

export default function Problem({ page }: { page: Extract<Page, { route: 'problem' }> }) {
  return <ProblemPage {...page.props} shared={page.shared} />;
}
