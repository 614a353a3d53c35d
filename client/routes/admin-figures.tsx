import type { Page } from '../api/page.gen';
import { FiguresPage } from '../features/admin-figures/figures-page';

export default function AdminFigures({ page }: { page: Extract<Page, { route: 'adminFigures' }> }) {
  return <FiguresPage {...page.props} />;
}
