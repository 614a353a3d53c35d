import Chip from '@mui/material/Chip';
import type { AdminApplicationsProps } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { CheckboxField, TextField } from '../../ui/field';

const LIST = '/admin-panel/applications';
const PATH = `${LIST}/views`;

/** Views that have a name, and what can be done with the one that is shown: keep it, or rename and delete it. */
export function SavedViews({ views, here, form }: Pick<AdminApplicationsProps, 'views' | 'here' | 'form'>) {
  const { all, mayShare, key, deleting } = views;
  const shown = all.find(({ current, mayChange }) => current && mayChange);
  const toDelete = all.find(({ id, mayChange }) => id === deleting && mayChange);
  const error = form.errors['viewName'];
  const typed = form.values['viewName'];
  return (
    <section className="list-views" aria-label="Saved views">
      {toDelete ? (
        <form className="list-asked" method="post" action={PATH} aria-labelledby="delete-view">
          <h2 id="delete-view">Delete the view “{toDelete.name}”?</h2>
          <p>
            {toDelete.shared
              ? 'It is gone for everybody. The applications stay as they are.'
              : 'The applications stay as they are.'}
          </p>
          <input type="hidden" name="here" value={here} />
          <input type="hidden" name="view" value={toDelete.id} />
          <input type="hidden" name="confirmed" value="yes" />
          <div className="row">
            <Button name="_action" value="delete">
              Delete the view
            </Button>
            <ButtonLink variant="quiet" href={`${LIST}?${here}`}>
              Keep it
            </ButtonLink>
          </div>
        </form>
      ) : null}
      {all.length > 0 ? (
        <ul>
          {all.map((view) => (
            <li key={view.id}>
              <Chip
                component="a"
                variant="outlined"
                clickable
                href={view.href}
                aria-current={view.current ? 'true' : undefined}
                label={view.name}
              />
              {view.shared ? <span className="list-count"> shared</span> : null}
            </li>
          ))}
        </ul>
      ) : null}
      <Disclosure
        open={error ? true : undefined}
        summary={shown ? `Rename or delete “${shown.name}”` : 'Save this view'}
      >
        <form method="post" action={PATH} noValidate key={shown?.id ?? 'new'}>
          <input type="hidden" name="here" value={here} />
          <input type="hidden" name="key" value={key} />
          <input type="hidden" name="view" value={shown?.id ?? ''} />
          <input type="hidden" name="seen" value={shown?.name ?? ''} />
          <TextField
            label="Name of the view"
            name="viewName"
            autoComplete="off"
            error={error}
            defaultValue={typeof typed === 'string' ? typed : (shown?.name ?? '')}
          />
          {!shown && mayShare ? (
            <CheckboxField name="shared" value="yes" label="For everybody of the office" />
          ) : null}
          <div className="row">
            <Button variant="secondary" name="_action" value={shown ? 'rename' : 'save'}>
              {shown ? 'Rename' : 'Save'}
            </Button>
            {shown ? (
              <Button variant="quiet" name="_action" value="delete">
                Delete…
              </Button>
            ) : null}
          </div>
        </form>
      </Disclosure>
    </section>
  );
}
