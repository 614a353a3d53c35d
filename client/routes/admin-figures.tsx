import type { Page } from '../api/page.gen';
import { FiguresPage } from '../features/admin-figures/figures-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminFigures({ page }: { page: Extract<Page, { route: 'adminFigures' }> }) {
  return (
    <OfficeLayout page={page}>
      <FiguresPage {...page.props} />
    </OfficeLayout>
  );
}
