import type { AdminReadingsProps, OwnReading as Own } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { ChoiceField, ChoiceInput, fieldId, TextField } from '../../ui/field';
import { dossierHref, DossierFields, OfficeDossier } from '../../ui/office-dossier';
import { ReadingsSummary } from '../../ui/office-readings';
import { SheetFields } from '../../ui/office-sheet';

/** Who is asked to read the application, their judgements, and the form for one's own. */
export function ReadingsPage(props: AdminReadingsProps) {
  const { frame, view, own, candidates, mayAsk, isOver, form } = props;
  const waiting = mayAsk ? view.readings.filter(({ sent }) => !sent) : [];
  return (
    <OfficeDossier frame={frame} form={form}>
      <div className="stack office-sections">
        {own ? <OwnReading {...props} own={own} /> : null}
        <section className="stack-small" aria-labelledby="readings-heading">
          <h2 id="readings-heading">Readers</h2>
          {view.readings.length > 0 ? (
            <ReadingsSummary view={view} />
          ) : (
            <p>
              {isOver
                ? 'Nobody was asked to read this application.'
                : 'Nobody is asked to read this application yet. Each reader scores it without knowing what the others say.'}
            </p>
          )}
          {waiting.length > 0 ? (
            <form className="row" method="post" action={dossierHref(frame, '/readings')}>
              <DossierFields frame={frame} />
              {waiting.map(({ reader, name }) => (
                <Button key={reader} variant="quiet" name="_action" value={`unask:${reader}`}>
                  Withdraw the request to {name}
                </Button>
              ))}
            </form>
          ) : null}
        </section>
        {mayAsk && candidates.length > 0 ? <Ask {...props} /> : null}
      </div>
    </OfficeDossier>
  );
}

function OwnReading({ frame, own, form }: AdminReadingsProps & { own: Own }) {
  return (
    <section className="stack-small" aria-labelledby="own-heading">
      <h2 id="own-heading">Your reading</h2>
      <p>
        {own.dueText ? `You are asked to send it by ${own.dueText}. ` : ''}
        Read the <a href={dossierHref(frame, '')}>answers</a> and the{' '}
        <a href={dossierHref(frame, '/documents')}>documents</a>. What you send stays as it is, and shows you
        what the others say.
      </p>
      <form method="post" action={dossierHref(frame, '/readings')} className="stack-small narrow" noValidate>
        <DossierFields frame={frame} />
        <SheetFields sheet={own.form} form={form} />
        <div className="form-actions">
          <Button name="_action" value="send">
            Send the reading
          </Button>
        </div>
      </form>
    </section>
  );
}

function Ask({ frame, candidates, form }: AdminReadingsProps) {
  const chosen = [form.values['readers'] ?? []].flat().map(String);
  return (
    <section className="stack-small" aria-labelledby="ask-heading">
      <h2 id="ask-heading">Ask readers</h2>
      <form
        method="post"
        action={dossierHref(frame, '/readings')}
        className="stack-small"
        noValidate
        key={candidates.length}
      >
        <DossierFields frame={frame} />
        <ChoiceField label="Who reads it" name="readers" error={form.errors['readers']}>
          {({ id }) => (
            <div className="choices reader-choices">
              {candidates.map(({ value, label }, at) => (
                <ChoiceInput
                  key={value}
                  type="checkbox"
                  name="readers"
                  value={value}
                  id={at === 0 ? id : `${fieldId('readers')}-${value}`}
                  defaultChecked={chosen.includes(value)}
                  label={label}
                />
              ))}
            </div>
          )}
        </ChoiceField>
        <TextField
          label="Expected by"
          name="dueOn"
          type="date"
          hint="May stay empty."
          error={form.errors['dueOn']}
          defaultValue={String(form.values['dueOn'] ?? '')}
        />
        <div>
          <Button variant="secondary" name="_action" value="ask">
            Ask them
          </Button>
        </div>
      </form>
    </section>
  );
}
