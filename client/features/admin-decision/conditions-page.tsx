import type { AdminConditionsProps } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { SelectField, TextArea } from '../../ui/field';
import { DossierFields, OfficeDossier } from '../../ui/office-dossier';
import { Tag } from '../../ui/tag';

const SHAPES = { open: 'circle', met: 'check', waived: 'check', failed: 'warning' } as const;

/** Whether the conditions of an offer were met. */
export function ConditionsPage(props: AdminConditionsProps) {
  const { frame, conditions, judging, form } = props;
  return (
    <OfficeDossier frame={frame} form={form}>
      <div className="stack office-sections">
        <section className="stack-small" aria-labelledby="conditions-heading">
          <h2 id="conditions-heading">Conditions of the offer</h2>
          {conditions.length === 0 ? (
            <p>The offer has no conditions.</p>
          ) : (
            <>
              <p>The applicant is enrolled once each is met or waived, and everything else is there.</p>
              <ol className="stack-small">
                {conditions.map(({ number, text, state, word, note, judgedText, judgeHref }) => (
                  <li key={number}>
                    {text} <Tag shape={SHAPES[state]}>{word}</Tag>
                    {judgedText ? (
                      <span className="office-sub">
                        {note} {judgedText}
                      </span>
                    ) : null}
                    {judgeHref ? (
                      <span className="office-sub">
                        <a href={judgeHref}>
                          {state === 'open' ? 'Note what became of it' : 'Change this'}
                          <span className="visually-hidden"> (condition {number})</span>
                        </a>
                      </span>
                    ) : null}
                  </li>
                ))}
              </ol>
            </>
          )}
        </section>
        {judging ? <Judge {...props} judging={judging} /> : null}
      </div>
    </OfficeDossier>
  );
}

type Judging = NonNullable<AdminConditionsProps['judging']>;

function Judge({ judging, frame, form }: AdminConditionsProps & { judging: Judging }) {
  const typed = (name: string, otherwise: string) => String(form.values[name] ?? otherwise);
  return (
    <section className="stack-small" aria-labelledby="judge">
      <h2 id="judge">Condition {judging.number}</h2>
      <p>{judging.text}</p>
      <form
        method="post"
        action={`/admin-panel/applications/${frame.id}/conditions`}
        className="stack-small narrow"
        noValidate
      >
        <DossierFields frame={frame} />
        <input type="hidden" name="number" value={String(judging.number)} />
        <input type="hidden" name="seen" value={String(judging.seen)} />
        <SelectField
          label="What happened afterward"
          name="state"
          options={judging.states}
          error={form.errors['state']}
          defaultValue={typed('state', judging.state)}
        />
        <TextArea
          label="What shows it, or why"
          name="note"
          hint="For the record; the applicant does not see it. They get a mail that there is an update."
          error={form.errors['note']}
          defaultValue={typed('note', judging.note)}
        />
        <div className="form-actions">
          <Button>Keep this</Button>
          <ButtonLink variant="quiet" href={judging.closeHref}>
            Close
          </ButtonLink>
        </div>
      </form>
    </section>
  );
}
