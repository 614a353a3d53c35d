import type { AdminDecisionProps } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { TextArea } from '../../ui/field';
import { DossierFields, OfficeDossier } from '../../ui/office-dossier';
import { Tag } from '../../ui/tag';
import { WhenFields } from '../../ui/office-when';
import { Basis } from '../../ui/office-basis';
import { DecisionFacts } from './decision-facts';
import { DraftForm } from './draft-form';
import { LetterText } from '../../ui/office-letter-text';

/** The decision about an application: drafting, releasing and recalling it. */
export function DecisionTab(props: AdminDecisionProps) {
  const { frame, draft, released, former, editor, preview, mayDraft, form } = props;
  return (
    <OfficeDossier frame={frame} form={form}>
      <div className="decision-columns">
        <div className="stack office-sections">
          {released ? <Released {...props} /> : null}
          {draft ? <Draft {...props} /> : null}
          {preview ? (
            <section className="stack-small" aria-labelledby="preview-heading">
              <h2 id="preview-heading">The letter as it would be</h2>
              <p>Not saved yet.</p>
              <LetterText paragraphs={preview} />
            </section>
          ) : null}
          {editor ? <DraftForm {...props} editor={editor} /> : null}
          {!editor && !draft && mayDraft ? <Begin {...props} /> : null}
          {!editor && !draft && !released && !mayDraft ? (
            <p>Nothing is decided about this application.</p>
          ) : null}
          {former.length > 0 ? (
            <section className="stack-small" aria-labelledby="former-heading">
              <h2 id="former-heading">Taken back</h2>
              <ul>
                {former.map((one) => (
                  <li key={one.id}>{one.text}</li>
                ))}
              </ul>
            </section>
          ) : null}
        </div>
        <Basis basis={props.basis} conditions={props.conditions} />
      </div>
    </OfficeDossier>
  );
}

function path({ frame }: AdminDecisionProps): string {
  return `/admin-panel/applications/${frame.id}/decision`;
}

/** Hidden fields that every form of this tab submits. */
function Fields({ frame, decision }: AdminDecisionProps & { decision?: string }) {
  return (
    <>
      <DossierFields frame={frame} />
      {decision ? <input type="hidden" name="decision" value={decision} /> : null}
    </>
  );
}

function editPath({ frame }: AdminDecisionProps, outcome: string): string {
  const view = frame.view ? `view=${encodeURIComponent(frame.view)}&` : '';
  return `/admin-panel/applications/${frame.id}/decision?${view}draft=${outcome}`;
}

function Begin(props: AdminDecisionProps) {
  return (
    <section className="stack-small" aria-labelledby="begin-heading">
      <h2 id="begin-heading">Draft a decision</h2>
      <p>The applicant learns nothing of a draft. Letting them see it is another step.</p>
      <div className="row">
        <ButtonLink href={editPath(props, 'accept')}>Draft an acceptance</ButtonLink>
        <ButtonLink variant="secondary" href={editPath(props, 'reject')}>
          Draft a rejection
        </ButtonLink>
      </div>
    </section>
  );
}

function Draft(props: AdminDecisionProps) {
  const { draft, editor, frame, isFull, mayDraft, mayRelease, mayWaitlist } = props;
  if (!draft) return null;
  const other = draft.outcome === 'Acceptance' ? 'reject' : 'accept';
  return (
    <section className="stack-small" aria-labelledby="draft-heading">
      <h2 id="draft-heading">
        {draft.outcome} <Tag shape="circle">Draft</Tag>
      </h2>
      <DecisionFacts decision={draft} />
      {draft.problem ? (
        <p>
          <Tag shape="warning">It cannot be released as it is</Tag>{' '}
          {isFull && frame.waitlist ? 'No place is left in this intake.' : draft.problem}
        </p>
      ) : null}
      {mayDraft && !editor ? (
        <form method="post" action={path(props)} className="form-actions">
          <Fields {...props} decision={draft.id} />
          <ButtonLink variant="secondary" href={draft.editHref}>
            Change the draft
          </ButtonLink>
          <ButtonLink variant="quiet" href={editPath(props, other)}>
            {other === 'reject' ? 'Reject instead' : 'Accept instead'}
          </ButtonLink>
          <Button variant="quiet" name="_action" value="discard">
            Discard the draft
          </Button>
        </form>
      ) : null}
      {mayWaitlist && !editor ? <ToWaitlist {...props} decision={draft.id} /> : null}
      {mayRelease && !editor ? <Release {...props} decision={draft.id} /> : null}
    </section>
  );
}

/** For an acceptance: first if no place is left, else the exception. */
function ToWaitlist(props: AdminDecisionProps & { decision: string }) {
  const { decision, formKey, isFull } = props;
  const form = (
    <form method="post" action={path(props)} className="stack-small">
      <Fields {...props} decision={decision} />
      <input type="hidden" name="key" value={formKey} />
      <p>
        The applicant gets a mail that there is an update, and reads on the dashboard that they are on the
        waitlist. The draft stays, and is released when they are offered a place.
      </p>
      <div className="form-actions">
        <Button variant={isFull ? 'primary' : 'secondary'} name="_action" value="waitlist">
          Put on the waitlist
        </Button>
      </div>
    </form>
  );
  return isFull ? form : <Disclosure summary="Put on the waitlist instead">{form}</Disclosure>;
}

function Release(props: AdminDecisionProps & { decision: string }) {
  const { draft, form, zone, decision } = props;
  return (
    <section className="stack-small" aria-labelledby="release-heading">
      <h3 id="release-heading">Release</h3>
      {draft?.plannedText ? (
        <form method="post" action={path(props)} className="form-actions">
          <Fields {...props} decision={decision} />
          <Tag shape="clock">It is released {draft.plannedText}</Tag>
          <Button variant="quiet" name="_action" value="unplan">
            Do not release it by itself
          </Button>
        </form>
      ) : null}
      <p>
        For 15 minutes after the release the applicant sees nothing and you can recall it. Then they get a
        mail that there is an update, which does not say what it is.
      </p>
      <form method="post" action={path(props)} className="stack-small" noValidate>
        <Fields {...props} decision={decision} />
        <input type="hidden" name="key" value={props.formKey} />
        <WhenFields form={form} zone={zone} />
        <div className="form-actions">
          <Button name="_action" value="release">
            Release the decision
          </Button>
        </div>
      </form>
    </section>
  );
}

function Released(props: AdminDecisionProps) {
  const { released, acts, form } = props;
  if (!released) return null;
  return (
    <section className="stack-small" aria-labelledby="released-heading">
      <h2 id="released-heading">
        {released.outcome} <Tag shape="check">Released</Tag>
      </h2>
      {released.heldUntilText ? (
        <p role="status">
          The applicant sees nothing of it yet. It can be recalled until {released.heldUntilText}.
        </p>
      ) : null}
      <DecisionFacts decision={released} />
      {props.conditions ? (
        <p>
          <a href={props.conditions.href}>What became of the conditions</a>: {props.conditions.text}
        </p>
      ) : null}
      {acts.recall ? (
        <form method="post" action={path(props)} className="form-actions">
          <Fields {...props} />
          <input type="hidden" name="key" value={props.formKey} />
          <Button variant="secondary" name="_action" value="recall">
            Recall the decision
          </Button>
        </form>
      ) : null}
      {acts.reopen ? (
        <form method="post" action={path(props)} className="form-actions">
          <Fields {...props} />
          <input type="hidden" name="key" value={props.formKey} />
          <Button variant="secondary" name="_action" value="reopen">
            Open the offer again for 30 days
          </Button>
        </form>
      ) : null}
      {acts.reverse ? (
        <Disclosure open={form.errors['reason'] ? true : undefined} summary="Reverse the decision">
          <form method="post" action={path(props)} className="stack-small" noValidate>
            <Fields {...props} />
            <input type="hidden" name="key" value={props.formKey} />
            <p>
              The applicant knows this decision. They get a mail that there is an update, and the application
              goes back to where it was before.
            </p>
            <TextArea
              label="Why"
              name="reason"
              hint="For the record; the applicant does not see it."
              error={form.errors['reason']}
              defaultValue={String(form.values['reason'] ?? '')}
            />
            <div className="form-actions">
              <Button variant="secondary" name="_action" value="reverse">
                Reverse the decision
              </Button>
            </div>
          </form>
        </Disclosure>
      ) : null}
    </section>
  );
}
