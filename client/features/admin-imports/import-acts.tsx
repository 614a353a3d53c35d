import type { FormState, ImportStartForm, ImportUndoForm } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { CheckboxField } from '../../ui/field';
import { grouped } from '../../ui/format';

const rowsOf = (count: number) => (count === 1 ? '1 row' : `${grouped(count)} rows`);
const applicationsOf = (count: number) => (count === 1 ? '1 application' : `${grouped(count)} applications`);

interface StartFormProps {
  href: string;
  start: ImportStartForm;
  form: FormState;
}

/** Imports the rows that are right. */
export function StartForm({ href, start: { rows, wrong, tell }, form }: StartFormProps) {
  return (
    <form className="stack-small" method="post" action={href} noValidate>
      {wrong > 0 ? (
        <CheckboxField
          name="leaveOut"
          value="yes"
          label={`Leave out the ${rowsOf(wrong)} with errors`}
          hint="You can correct them in a file of their own, and import that later."
          defaultChecked={form.values['leaveOut'] === 'yes'}
        />
      ) : null}
      <p>
        {tell
          ? 'New accounts with a draft or a submission get an email about how to log in.'
          : 'Nobody gets an email.'}{' '}
        The import can be undone as long as nobody has worked on what it brought in.
      </p>
      <div className="form-actions">
        <Button name="_action" value="start">
          {`Import ${rowsOf(rows)}`}
        </Button>
      </div>
    </form>
  );
}

interface UndoFormProps {
  href: string;
  undo: ImportUndoForm;
  isOpen: boolean;
}

/** Deletes what the import brought in. */
export function UndoForm({ href, undo: { imported, workedOn }, isOpen }: UndoFormProps) {
  return (
    <Disclosure summary="Undo this import" open={isOpen || undefined}>
      <form className="stack-small" method="post" action={href} noValidate>
        {workedOn > 0 ? (
          <>
            <p>
              {`Somebody has worked on ${applicationsOf(workedOn)} since: an applicant logged in, say, or a note was written. Those stay. `}
              {workedOn < imported
                ? `The other ${grouped(imported - workedOn)} are deleted, with the accounts that were made for them.`
                : 'Nothing else is left to delete.'}
            </p>
            <CheckboxField
              name="leave"
              value="yes"
              label={`Leave ${workedOn === 1 ? 'the one' : `the ${grouped(workedOn)}`} that somebody has worked on`}
            />
          </>
        ) : (
          <p>
            {`Nobody has worked on what came in. ${applicationsOf(imported)} ${imported === 1 ? 'is' : 'are'} deleted, with the accounts that were made for them.`}
          </p>
        )}
        <div className="form-actions">
          <Button name="_action" value="undo" variant="secondary">
            Undo the import
          </Button>
        </div>
      </form>
    </Disclosure>
  );
}

/** Deletes an import that brought in nothing that is still there. */
export function DeleteForm({ href }: { href: string }) {
  return (
    <Disclosure summary="Delete this import">
      <form className="stack-small" method="post" action={href}>
        <p>Its rows are deleted with it. There are no applications of it.</p>
        <div className="form-actions">
          <Button name="_action" value="delete" variant="secondary">
            Delete the import
          </Button>
        </div>
      </form>
    </Disclosure>
  );
}
