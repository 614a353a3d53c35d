import type { AdminFundingProps, FinanceTask, FormState } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { SelectField, TextArea, TextField } from '../../ui/field';
import { dossierHref, DossierFields } from '../../ui/office-dossier';

interface FinanceFormProps extends AdminFundingProps {
  task: FinanceTask;
}

/** The form that is currently open, for what Finance notes or decides. */
export function FinanceForm({ frame, plan, task, closeHref, formKey, form }: FinanceFormProps) {
  return (
    <section className="stack-small narrow" id="task" aria-labelledby="task-heading" tabIndex={-1}>
      <h2 id="task-heading">{task.title}</h2>
      <form
        // Resets the form for another task.
        key={`${task.action} ${task.about}`}
        className="stack-small"
        method="post"
        action={dossierHref(frame, '/funding')}
        noValidate
      >
        <DossierFields frame={frame} />
        <input type="hidden" name="plan" value={plan?.revision ?? 0} />
        <input type="hidden" name="about" value={task.about} />
        <input type="hidden" name="key" value={formKey} />
        <Fields task={task} form={form} />
        {task.secondPersonText ? <p className="hint">{task.secondPersonText}</p> : null}
        <div className="form-actions">
          {task.action === 'waive' ? (
            <>
              <Button name="_action" value="waive">
                Waive it
              </Button>
              <Button variant="secondary" name="_action" value="write-off">
                Write it off
              </Button>
            </>
          ) : (
            <Button name="_action" value={task.action}>
              {buttons[task.action]}
            </Button>
          )}
          <ButtonLink variant="quiet" href={closeHref}>
            Leave everything as it is
          </ButtonLink>
        </div>
      </form>
    </section>
  );
}

const buttons = {
  judge: 'Keep this',
  change: 'Save the plan',
  pay: 'Note the payment',
  refund: 'Note the refund',
  reverse: 'Reverse the entry',
  decline: 'Decline it',
} as const;

const typed = (form: FormState, name: string) => String(form.values[name] ?? '');

function Fields({ task, form }: { task: FinanceTask; form: FormState }) {
  switch (task.action) {
    case 'judge':
      return (
        <>
          <SelectField
            label="What is known"
            name="state"
            options={task.states}
            error={form.errors['state']}
            defaultValue={typed(form, 'state') || 'confirmed'}
          />
          <Reason form={form} hint="Needed if it does not pay. The applicant reads it." />
        </>
      );
    case 'change':
      return (
        <>
          <p className="hint">In US dollars. An amount that changes has to be confirmed anew.</p>
          {task.sources.map((source) => (
            <Amount key={source.value} label={source.label} name={`amounts.${source.value}`} form={form} />
          ))}
          <Amount label="Up front" name="upFront" form={form} />
          <Amount label="Each month" name="monthly" form={form} />
        </>
      );
    case 'pay':
      return (
        <>
          <Line task={task} form={form} />
          <Amount label="Amount" name="amount" form={form} />
          <SelectField
            label="How it came"
            name="method"
            options={task.methods}
            error={form.errors['method']}
            defaultValue={typed(form, 'method')}
          />
          <TextField
            label="Received on"
            name="receivedOn"
            type="date"
            hint="The day on which the money arrived. Leave it empty for today."
            error={form.errors['receivedOn']}
            defaultValue={typed(form, 'receivedOn')}
          />
          <TextField
            label="Number or note"
            name="note"
            hint="Of the check, transfer or invoice."
            autoComplete="off"
            error={form.errors['note']}
            defaultValue={typed(form, 'note')}
          />
        </>
      );
    case 'waive':
      return (
        <>
          <Line task={task} form={form} />
          <Reason form={form} hint="For the books." />
        </>
      );
    case 'refund':
      return (
        <>
          <p>
            {task.byCard
              ? 'The money goes back to the card by itself.'
              : 'Send the money back first; this notes that it is done.'}
          </p>
          <Amount label="Amount" name="amount" form={form} />
          <Reason form={form} hint="For the books." />
        </>
      );
    case 'decline':
      return <Reason form={form} hint="For who has asked." />;
    default:
      return <Reason form={form} hint="For the books." />;
  }
}

function Line({ task, form }: { task: FinanceTask; form: FormState }) {
  return (
    <SelectField
      label="Purpose"
      name="line"
      options={task.lines}
      error={form.errors['line']}
      defaultValue={typed(form, 'line')}
    />
  );
}

function Amount({ label, name, form }: { label: string; name: string; form: FormState }) {
  return (
    <TextField
      label={label}
      name={name}
      inputMode="decimal"
      autoComplete="off"
      error={form.errors[name]}
      defaultValue={typed(form, name)}
    />
  );
}

function Reason({ form, hint }: { form: FormState; hint: string }) {
  return (
    <TextArea
      label="Reason"
      name="reason"
      hint={hint}
      error={form.errors['reason']}
      defaultValue={typed(form, 'reason')}
    />
  );
}
