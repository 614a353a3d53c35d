import { useMemo } from 'react';
import type { AdminDecisionProps, DecisionEditor } from '../../api/office-verdict';
import type { FormState } from '../../api/page';
import { Button, ButtonLink } from '../../ui/button';
import { fieldId, SelectField, TextArea } from '../../ui/field';
import { DossierFields } from '../../ui/office-dossier';

const NEXT = { value: '', label: 'The next one' };

/** Drafts an acceptance or a rejection, with letters of that kind only. */
export function DraftForm({
  frame,
  editor,
  needsWaiver,
  form,
}: AdminDecisionProps & { editor: DecisionEditor }) {
  const accepts = editor.outcome === 'accept';
  const value = (name: string) => String(form.values[name] ?? '');
  const intakes = useMemo(() => [NEXT, ...editor.intakes], [editor.intakes]);
  return (
    <section className="stack-small" aria-labelledby="edit-heading">
      <h2 id="edit-heading">{accepts ? 'Draft an acceptance' : 'Draft a rejection'}</h2>
      <form
        method="post"
        action={`/admin-panel/applications/${frame.id}/decision`}
        className="stack-small"
        noValidate
      >
        <DossierFields frame={frame} />
        <input type="hidden" name="outcome" value={editor.outcome} />
        <input type="hidden" name="seen" value={editor.seen} />
        <SelectField
          label="Letter"
          name="letter"
          options={editor.letters}
          error={form.errors['letter'] ?? form.errors['outcome']}
          defaultValue={value('letter') || editor.letters[0]?.value}
        />
        <SelectField
          label="Intake"
          name="intake"
          options={intakes}
          error={form.errors['intake']}
          defaultValue={value('intake')}
        />
        {accepts ? (
          <TextArea
            label="Conditions"
            name="conditions"
            hint="One in each line, at most 20. Leave it empty for none."
            rows={6}
            error={form.errors['conditions']}
            defaultValue={value('conditions')}
          />
        ) : (
          <Reasons editor={editor} form={form} />
        )}
        {needsWaiver && accepts ? (
          <TextArea
            label="Why there is no interview"
            name="waiver"
            hint="No interview was held. Without a reason here the acceptance cannot be released before one is."
            error={form.errors['waiver']}
            defaultValue={value('waiver')}
          />
        ) : null}
        <div className="form-actions">
          <Button name="_action" value="save">
            Keep the draft
          </Button>
          <Button variant="secondary" name="_action" value="preview">
            Preview the letter
          </Button>
          <ButtonLink variant="quiet" href={editor.closeHref}>
            Leave everything as it is
          </ButtonLink>
        </div>
      </form>
    </section>
  );
}

function several(form: FormState, name: string): string[] {
  const given = form.values[name];
  return Array.isArray(given) ? given : given ? [given] : [];
}

function Reasons({ editor, form }: { editor: DecisionEditor; form: FormState }) {
  const tell = form.values['tell'];
  return (
    <>
      <Boxes name="reasons" label="Reasons, at least one" editor={editor} form={form} />
      <fieldset className={form.errors['shownReasons'] ? 'field field-invalid' : 'field'}>
        <legend>What the applicant sees</legend>
        {form.errors['shownReasons'] ? <p className="field-error">{form.errors['shownReasons']}</p> : null}
        <div className="choices">
          <label className="choice">
            <input
              type="radio"
              name="tell"
              value="none"
              id={fieldId('shownReasons')}
              defaultChecked={tell === 'none'}
            />
            <span>No reason</span>
          </label>
          <label className="choice">
            <input type="radio" name="tell" value="some" defaultChecked={tell === 'some'} />
            <span>The reasons that are ticked below</span>
          </label>
        </div>
      </fieldset>
      <Boxes name="shownReasons" label="Reasons that the letter tells" editor={editor} form={form} />
    </>
  );
}

interface BoxesProps {
  name: 'reasons' | 'shownReasons';
  label: string;
  editor: DecisionEditor;
  form: FormState;
}

function Boxes({ name, label, editor, form }: BoxesProps) {
  const ticked = several(form, name);
  const error = name === 'reasons' ? form.errors['reasons'] : undefined;
  return (
    <fieldset className={error ? 'field field-invalid' : 'field'}>
      <legend>{label}</legend>
      {error ? <p className="field-error">{error}</p> : null}
      <div className="choices">
        {editor.reasons.map((reason, index) => (
          <label className="choice" key={reason.value}>
            <input
              type="checkbox"
              name={name}
              value={reason.value}
              id={index === 0 && name === 'reasons' ? fieldId(name) : undefined}
              defaultChecked={ticked.includes(reason.value)}
            />
            <span>{reason.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
