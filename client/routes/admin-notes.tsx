import type { Page } from '../api/page.gen';
import { NotesPage } from '../features/admin-application/notes-page';

export default function AdminNotes({ page }: { page: Extract<Page, { route: 'adminNotes' }> }) {
  return <NotesPage {...page.props} />;
}
