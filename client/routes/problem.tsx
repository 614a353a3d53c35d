import type { Page } from '../api/page.gen';
import { ProblemPage } from '../features/problem/problem-page';
import { Layout } from '../ui/layout';

export default function Problem({ page }: { page: Extract<Page, { route: 'problem' }> }) {
  return (
    <Layout page={page}>
      <ProblemPage {...page.props} shared={page.shared} />
    </Layout>
  );
}
