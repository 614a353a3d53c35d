import type { AdminNotesProps, OfficeNote } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { TextField } from '../../ui/field';
import { dossierHref, DossierFields, OfficeDossier } from '../../ui/office-dossier';
import { Tag } from '../../ui/tag';
import { MentionArea } from './mention-area';

const HINT =
  'The applicant never sees it. At most 4,000 characters. Write @ and a name to tell somebody by mail.';

/** Notes about the application that staff write for each other. */
export function NotesPage(props: AdminNotesProps) {
  const { frame, notes, search, names, editing, idempotencyKey, form } = props;
  const path = `/admin-panel/applications/${frame.id}/notes`;
  const typed = editing ? '' : String(form.values['note'] ?? '');
  return (
    <OfficeDossier frame={frame} form={form}>
      <section className="stack-small" aria-labelledby="notes-heading">
        <h2 id="notes-heading">Notes</h2>
        {editing ? null : (
          <form
            className="stack-small"
            method="post"
            action={dossierHref(frame, '/notes')}
            noValidate
            key={idempotencyKey}
          >
            <DossierFields frame={frame} />
            <input type="hidden" name="key" value={idempotencyKey} />
            <MentionArea
              names={names}
              label="New note"
              name="note"
              hint={HINT}
              rows={5}
              error={form.errors['note']}
              defaultValue={typed}
            />
            {names.length > 0 ? (
              <Disclosure summary={'Who can be mentioned'}>
                <p>{names.join(', ')}</p>
              </Disclosure>
            ) : null}
            <div>
              <Button name="_action" value="write">
                Write the note
              </Button>
            </div>
          </form>
        )}
      </section>
      <section className="stack-small" aria-labelledby="written-heading">
        <h2 id="written-heading">Written so far</h2>
        <form className="list-view list-search" method="get" action={path} role="search" key={search}>
          {frame.view ? <input type="hidden" name="view" value={frame.view} /> : null}
          <TextField
            label="Search the notes"
            name="q"
            type="search"
            autoComplete="off"
            error={form.errors['q']}
            defaultValue={search}
          />
          <Button variant="secondary">Search</Button>
        </form>
        {notes.length === 0 ? (
          <p>{search ? 'No note has these words.' : 'Nobody has written a note.'}</p>
        ) : null}
        <ul className="dossier-notes">
          {notes.map((note) => (
            <li key={note.id}>
              <Note note={note} props={props} path={path} />
            </li>
          ))}
        </ul>
      </section>
    </OfficeDossier>
  );
}

function Note({ note, props, path }: { note: OfficeNote; props: AdminNotesProps; path: string }) {
  const { frame, editing, form } = props;
  const view = frame.view ? `&view=${encodeURIComponent(frame.view)}` : '';
  return (
    <article aria-label={`Note of ${note.author}, ${note.writtenText}`}>
      <p className="dossier-byline">
        <strong>{note.author}</strong> {note.writtenText}
        {note.editedText ? `, changed ${note.editedText}` : ''}
        {note.pinned ? (
          <>
            {' '}
            <Tag shape="star">Pinned</Tag>
          </>
        ) : null}
      </p>
      {editing === note.id && note.own ? (
        <form className="stack-small" method="post" action={dossierHref(frame, '/notes')} noValidate>
          <DossierFields frame={frame} />
          <input type="hidden" name="noteRevision" value={note.revision} />
          <MentionArea
            names={props.names}
            label="Change the note"
            name="note"
            hint={HINT}
            rows={5}
            error={form.errors['note']}
            defaultValue={String(form.values['note'] ?? note.text)}
          />
          <div className="form-actions">
            <Button name="_action" value={`edit:${note.id}`}>
              Keep the change
            </Button>
            <ButtonLink variant="quiet" href={dossierHref(frame, '/notes')}>
              Leave it as it is
            </ButtonLink>
          </div>
        </form>
      ) : (
        <>
          <p className="dossier-answer">{note.text}</p>
          <form className="row" method="post" action={dossierHref(frame, '/notes')}>
            <DossierFields frame={frame} />
            <Button variant="quiet" name="_action" value={`${note.pinned ? 'unpin' : 'pin'}:${note.id}`}>
              {note.pinned ? 'Unpin' : 'Pin'}
            </Button>
            {note.own ? (
              <>
                <ButtonLink variant="quiet" href={`${path}?edit=${note.id}${view}`}>
                  Change
                </ButtonLink>
                <Button variant="quiet" name="_action" value={`delete:${note.id}`}>
                  Delete
                </Button>
              </>
            ) : null}
          </form>
        </>
      )}
    </article>
  );
}
