import type { Page } from '../api/page.gen';
import { CommitteePage } from '../features/admin-committee/committee-page';

export default function AdminCommittee({ page }: { page: Extract<Page, { route: 'adminCommittee' }> }) {
  return <CommitteePage {...page.props} />;
}
