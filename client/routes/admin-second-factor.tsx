import type { Page } from '../api/page.gen';
import { SecondFactorPage } from '../features/admin-account/second-factor-page';
import type { Frame } from '../ui/layout';

type SecondFactor = Extract<Page, { route: 'adminSecondFactor' }>;

export const frame = ({ props }: SecondFactor): Frame => ({ bare: props.required });

export default function AdminSecondFactor({ page }: { page: SecondFactor }) {
  return <SecondFactorPage {...page.props} />;
}
