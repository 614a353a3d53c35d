import type { Page } from '../api/page.gen';
import { NotesPage } from '../features/admin-application/notes-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminNotes({ page }: { page: Extract<Page, { route: 'adminNotes' }> }) {
  return (
    <OfficeLayout page={page}>
      <NotesPage {...page.props} />
    </OfficeLayout>
  );
}
