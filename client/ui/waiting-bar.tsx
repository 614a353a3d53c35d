import { t } from '../api/texts';
import { Progress } from '../theme/parts/progress';

/** Shows at once that a page is loading: a thin bar at the edge of the window that moves no content. */
export function WaitingBar() {
  return <Progress className="waiting-bar" aria-label={t('Loading')} />;
}
