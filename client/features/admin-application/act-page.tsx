import type { ActForm, AdminActProps, DeferralWish, DossierFrame, FormState } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { CheckboxField, SelectField, TextArea, TextField, ChoiceInput, ChoiceField } from '../../ui/field';
import { Notice } from '../../ui/notice';
import { dossierHref, DossierFields, OfficeDossier } from '../../ui/office-dossier';

/** One act: what it does, what it needs, and the button that does it. */
export function ActPage({ act, obstacle, idempotencyKey, frame, form }: AdminActProps) {
  const back = dossierHref(frame, '');
  return (
    <OfficeDossier frame={frame} form={form}>
      <section className="stack-small narrow" aria-labelledby="act-heading">
        <h2 id="act-heading">{act.title}</h2>
        <p>{act.text}</p>
        {act.request ? <p className="dossier-answer">{act.request}</p> : null}
        {act.wish ? <p>{act.wish.text}</p> : null}
        {act.wish?.reason ? <p className="dossier-answer">{act.wish.reason}</p> : null}
        {obstacle === null ? (
          <form className="stack-small" method="post" action={dossierHref(frame, act.path)} noValidate>
            <DossierFields frame={frame} />
            <input type="hidden" name="key" value={idempotencyKey} />
            <Fields act={act} form={form} />
            <div className="form-actions">
              <Button name="_action" value={act.name}>
                {act.button}
              </Button>
              <ButtonLink variant="quiet" href={back}>
                Leave everything as it is
              </ButtonLink>
            </div>
          </form>
        ) : (
          <>
            <Notice tone="info">
              <p>{obstacle}</p>
            </Notice>
            <Typed form={form} />
          </>
        )}
      </section>
      {act.wish && obstacle === null ? <Refusal frame={frame} wish={act.wish} form={form} /> : null}
    </OfficeDossier>
  );
}

interface RefusalProps {
  frame: DossierFrame;
  wish: DeferralWish;
  form: FormState;
}

/** The other answer to a request for a later start. */
function Refusal({ frame, wish, form }: RefusalProps) {
  return (
    <section className="stack-small narrow" aria-labelledby="refusal-heading">
      <h2 id="refusal-heading">Refuse the wish</h2>
      <p>
        The place stays with its intake. The applicant gets a mail that there is an answer, and reads it on
        the dashboard.
      </p>
      <form className="stack-small" method="post" action={dossierHref(frame, '/act')} noValidate>
        <DossierFields frame={frame} />
        <input type="hidden" name="wish" value={wish.id} />
        <TextArea
          label="Reason"
          name="reason"
          hint="The applicant reads it on the dashboard. At most 1,000 characters."
          error={form.errors['reason']}
          defaultValue={String(form.values['reason'] ?? '')}
        />
        <div className="form-actions">
          <Button variant="secondary" name="_action" value="refuse_wish">
            Refuse the wish
          </Button>
        </div>
      </form>
    </section>
  );
}

function Fields({ act, form }: { act: ActForm; form: FormState }) {
  const typed = (name: string) => String(form.values[name] ?? '');
  return (
    <>
      {act.sections ? <Sections sections={act.sections} form={form} /> : null}
      {act.sections ? (
        <>
          <TextArea
            label="What is to be changed"
            name="message"
            hint="The applicant reads it. At most 2,000 characters."
            error={form.errors['message']}
            defaultValue={typed('message')}
          />
          <TextField
            label="By when"
            name="dueOn"
            type="date"
            error={form.errors['dueOn']}
            defaultValue={typed('dueOn')}
          />
        </>
      ) : null}
      {act.reason ? (
        <TextArea
          label="Reason"
          name="reason"
          hint={act.reason}
          error={form.errors['reason']}
          defaultValue={typed('reason')}
        />
      ) : null}
      {act.intakes ? (
        <SelectField
          label="Later intake"
          name="intake"
          options={[{ value: '', label: 'Choose' }, ...act.intakes]}
          error={form.errors['intake']}
          defaultValue={typed('intake') || act.wish?.intake}
        />
      ) : null}
      {act.rechecked ? (
        <CheckboxField
          label={act.rechecked}
          name="rechecked"
          value="yes"
          error={form.errors['rechecked']}
          defaultChecked={form.values['rechecked'] === 'yes'}
        />
      ) : null}
    </>
  );
}

function Sections({ sections, form }: { sections: { value: string; label: string }[]; form: FormState }) {
  const chosen = [form.values['sections'] ?? []].flat();
  return (
    <ChoiceField label="Sections to change" name="sections" error={form.errors['sections']}>
      {({ id }) => (
        <div className="choices">
          {sections.map(({ value, label }, index) => (
            <ChoiceInput
              key={value}
              type="checkbox"
              id={index === 0 ? id : `${id}-${value}`}
              name="sections"
              value={value}
              defaultChecked={chosen.includes(value)}
              label={label}
            />
          ))}
        </div>
      )}
    </ChoiceField>
  );
}

/** Input of a form that can no longer be submitted, shown for copying. */
function Typed({ form }: { form: FormState }) {
  const texts = ['message', 'reason'].flatMap((name) => form.values[name] ?? []).filter(Boolean);
  return texts.length > 0 ? (
    <>
      <h3>What you typed</h3>
      {texts.map((text) => (
        <p key={text} className="dossier-answer">
          {text}
        </p>
      ))}
    </>
  ) : null;
}
