import type { DecisionStep, FormState } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { TextField } from '../../ui/field';
import { WhenFields } from '../../ui/office-when';
import { DecisionTable } from './decision-table';

const PATH = '/admin-panel/decisions';

/** The decisions about to be released, or the outcome for each. */
export function ReleasePanel({ step, zone, form }: { step: DecisionStep; zone: string; form: FormState }) {
  const failed = step.rows.filter((row) => row.failed).length;
  const blocked = step.rows.filter((row) => row.problem).length;
  return (
    <section className="stack-small" aria-labelledby="step-heading">
      <h2 id="step-heading">{step.title}</h2>
      {step.done ? (
        <p role="status">
          {failed === 0 ? 'Done.' : `${failed} of ${step.rows.length} could not be done: see below.`}
        </p>
      ) : (
        <p>
          Look through the list. Nothing was released so far. For 15 minutes after the release the applicants
          see nothing and it can be recalled; then each gets a mail that there is an update, and it cannot be
          undone unnoticed.
        </p>
      )}
      {blocked > 0 ? (
        <p>
          {blocked === 1
            ? '1 of them cannot be released as it is: the reason stands in its row.'
            : `${blocked} of them cannot be released as they are: the reason stands in their rows.`}
        </p>
      ) : null}
      <DecisionTable label="Table of these decisions" rows={step.rows} />
      {step.done ? null : (
        <form method="post" action={PATH} className="stack-small" noValidate>
          {step.rows.map((row) => (
            <input type="hidden" name="decision" value={row.id} key={row.id} />
          ))}
          <WhenFields form={form} zone={zone} />
          <TextField
            label={`Type ${step.rows.length} to confirm`}
            hint="It is the number of decisions above."
            name="count"
            inputMode="numeric"
            autoComplete="off"
            error={form.errors['count']}
            defaultValue={String(form.values['count'] ?? '')}
          />
          <div className="form-actions">
            <Button name="_action" value="release">
              Release
            </Button>
            <ButtonLink variant="quiet" href={PATH}>
              Leave everything as it is
            </ButtonLink>
          </div>
        </form>
      )}
    </section>
  );
}
