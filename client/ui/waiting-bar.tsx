import { t } from '../api/texts';
import { Progress } from '../theme/parts/progress';

/** Says at once that a page is on its way: a thin bar over the edge of the window, which moves nothing. */
export function WaitingBar() {
  return <Progress className="waiting-bar" aria-label={t('Loading')} />;
}
