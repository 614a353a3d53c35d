import { Button } from './button';

export const WORK = '/admin-panel/work';
const ID = 'next-task';

/** Clicks the page's button, which knows the open application; without one, does what it would do. */
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
  /** The open application: the next task belongs to another one. */
  from?: string;
  variant?: 'primary' | 'secondary';
}

/** Goes to the user's most urgent task, or assigns them an unassigned one. */
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
