import type { FormState } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';

const PATH = '/admin-panel/finance';

/** Files for other systems. */
export function FinanceFiles({ form }: { form: FormState }) {
  const day = (name: string) => ({
    name,
    type: 'date',
    error: form.errors[name],
    defaultValue: String(form.values[name] ?? ''),
  });
  return (
    <>
      <section className="stack-small" aria-labelledby="ledger-heading">
        <h2 id="ledger-heading">The ledger as a file</h2>
        <p>All entries of all ledgers that were written on these days, as comma-separated values.</p>
        <form className="list-view" method="get" action={`${PATH}/ledger.csv`} noValidate>
          <div className="list-filters">
            <TextField {...day('from')} label="First day" />
            <TextField {...day('until')} label="Last day" />
            <Button variant="secondary">Save the ledger</Button>
          </div>
        </form>
      </section>
      <section className="stack-small" aria-labelledby="enrolled-heading">
        <h2 id="enrolled-heading">Who is enrolled, for the student system</h2>
        <form className="list-view" method="get" action={`${PATH}/enrolled.csv`} noValidate>
          <div className="list-filters">
            <TextField {...day('since')} label="Enrolled on this day or later" hint="Empty for everybody." />
            <Button variant="secondary">Save as CSV</Button>
            <Button variant="secondary" formAction={`${PATH}/enrolled.json`}>
              Save as JSON
            </Button>
          </div>
        </form>
      </section>
    </>
  );
}
