import type { Page } from '../api/page.gen';
import { ReferencesPage } from '../features/references/references-page';
import type { Frame } from '../ui/layout';

export const frame = (): Frame => ({ menu: 'documents' });

export default function References({ page }: { page: Extract<Page, { route: 'references' }> }) {
  return <ReferencesPage {...page.props} language={page.shared.language} />;
}
