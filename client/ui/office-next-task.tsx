import { Button } from './button';
import type { Keys } from './keys';

export const WORK = '/admin-panel/work';
const ID = 'next-task';

/** `n` presses the button that leads to the next task. */
export const nextTaskKeys: Keys = { n: () => document.getElementById(ID)?.click() };

interface NextTaskProps {
  /** The application that is open: what comes next is of another. */
  from?: string;
  variant?: 'primary' | 'secondary';
}

/** Leads to the most pressing task of one's own, or makes one of nobody's one's own. */
export function NextTask({ from, variant }: NextTaskProps) {
  return (
    <form method="post" action={WORK}>
      {from ? <input type="hidden" name="from" value={from} /> : null}
      <Button variant={variant} size="small" name="_action" value="next" id={ID} aria-keyshortcuts="n">
        Next task
      </Button>
    </form>
  );
}
