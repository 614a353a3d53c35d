import type { Page } from '../api/page.gen';
import { ContractPage } from '../features/contract/contract-page';
import type { Frame } from '../ui/layout';

export const frame = (): Frame => ({ menu: 'dashboard' });

export default function Contract({ page }: { page: Extract<Page, { route: 'contract' }> }) {
  const { contactEmail, language } = page.shared;
  return <ContractPage {...page.props} contactEmail={contactEmail} language={language} />;
}
