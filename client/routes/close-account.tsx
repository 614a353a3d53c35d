import type { Page } from '../api/page.gen';
import { CloseAccountPage } from '../features/account/close-account-page';
import type { Frame } from '../ui/layout';

type Closing = Extract<Page, { route: 'closeAccount' }>;

export const frame = ({ props }: Closing): Frame => (props.done ? {} : { menu: 'account' });

export default function CloseAccount({ page }: { page: Closing }) {
  return <CloseAccountPage {...page.props} />;
}
