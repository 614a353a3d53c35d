import { Button } from './button';

export const WORK = '/admin-panel/work';
const ID = 'next-task';

/** Presses the button of the page, which knows what is open; where there is none, does what it would do. */
export function goToNextTask() {
  const button = document.getElementById(ID);
  if (button) {
    button.click();
    return;
  }
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action: WORK });
  const act = document.createElement('input');
  Object.assign(act, { type: 'hidden', name: '_action', value: 'next' });
  form.append(act);
  document.body.append(form);
  form.submit();
}

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
