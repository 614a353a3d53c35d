import type { AdminApplicationsProps } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { CheckboxField, TextField } from '../../ui/field';
import { Icon } from '../../ui/icon';
import { ToolMenu } from '../../ui/tool-menu';

const LIST = '/admin-panel/applications';
const PATH = `${LIST}/views`;

type Views = Pick<AdminApplicationsProps, 'views' | 'here'>;

/** Asks for confirmation before a view is deleted. */
export function DeletingView({ views, here }: Views) {
  const view = views.all.find(({ id, mayChange }) => id === views.deleting && mayChange);
  if (!view) return null;
  return (
    <form className="list-asked" method="post" action={PATH} aria-labelledby="delete-view">
      <h2 id="delete-view">Delete the view “{view.name}”?</h2>
      <p>
        {view.shared
          ? 'It is gone for everybody. The applications stay as they are.'
          : 'The applications stay as they are.'}
      </p>
      <input type="hidden" name="here" value={here} />
      <input type="hidden" name="view" value={view.id} />
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
  );
}

/** The saved views, and the actions on the current one: save it, or rename and delete it. */
export function SavedViews({ views, here, form }: Views & Pick<AdminApplicationsProps, 'form'>) {
  const { all, mayShare, key } = views;
  const open = all.find(({ current }) => current);
  const shown = open?.mayChange ? open : undefined;
  const error = form.errors['viewName'];
  const typed = form.values['viewName'];
  return (
    <section className="list-views" aria-label="Saved views">
      <ToolMenu label={open ? open.name : 'Views'} icon="star" place="end" isOpen={Boolean(error)}>
        {all.length > 0 ? (
          <ul className="list-menu">
            {all.map((view) => (
              <li key={view.id}>
                <a href={view.href} aria-current={view.current ? 'true' : undefined}>
                  {view.name}
                  {view.current ? <Icon name="check" /> : null}
                </a>
                {view.shared ? <span className="list-count">shared</span> : null}
              </li>
            ))}
          </ul>
        ) : null}
        <form method="post" action={PATH} noValidate key={shown?.id ?? 'new'}>
          <h2>{shown ? `Rename or delete “${shown.name}”` : 'Save this view'}</h2>
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
          <div className="list-acts">
            <Button variant="secondary" name="_action" value={shown ? 'rename' : 'save'}>
              {shown ? 'Rename' : 'Save'}
            </Button>
            {shown ? (
              <Button variant="secondary" name="_action" value="delete">
                Delete…
              </Button>
            ) : null}
          </div>
        </form>
      </ToolMenu>
    </section>
  );
}
