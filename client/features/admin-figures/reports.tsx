import type { AdminFiguresProps, FiguresReport } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { TextField } from '../../ui/field';

const PATH = '/admin-panel/applications/figures';

type ReportsProps = Pick<AdminFiguresProps, 'reports' | 'here' | 'formKey' | 'form'>;

/** Named filters. They are shared by all staff; each member of staff chooses which to get by mail. */
export function Reports({ reports, here, formKey, form }: ReportsProps) {
  const typed = form.values['reportName'];
  return (
    <section className="stack-small" id="reports" aria-labelledby="reports-heading">
      <h2 id="reports-heading">Reports</h2>
      <p>
        A report is a filter with a name. Everybody in the office has it, and gets a link to its CSV file by
        mail every Monday who asks for that.
      </p>
      {reports.length > 0 ? (
        <ul className="figures-reports">
          {reports.map((report) => (
            <ReportLine key={report.id} report={report} here={here} />
          ))}
        </ul>
      ) : null}
      <form className="figures-save" method="post" action={PATH} noValidate>
        <input type="hidden" name="here" value={here} />
        <input type="hidden" name="key" value={formKey} />
        <TextField
          label="Save these filters as"
          name="reportName"
          autoComplete="off"
          error={form.errors['reportName']}
          defaultValue={typeof typed === 'string' ? typed : ''}
        />
        <Button variant="secondary" name="_action" value="save">
          Save the report
        </Button>
      </form>
    </section>
  );
}

function ReportLine({ report, here }: { report: FiguresReport; here: string }) {
  const { id, name, href, isMailed, mayDelete } = report;
  return (
    <li>
      <a href={href}>{name}</a>
      <form method="post" action={PATH}>
        <input type="hidden" name="here" value={here} />
        <input type="hidden" name="report" value={id} />
        <Button
          variant="quiet"
          name="_action"
          value={isMailed ? 'stop' : 'mail'}
          aria-label={isMailed ? `Stop mails of “${name}”` : `Mail “${name}” to me every week`}
        >
          {isMailed ? 'Stop mails' : 'Mail me weekly'}
        </Button>
        {mayDelete ? (
          <Disclosure summary={'Delete…'}>
            <Button variant="secondary" name="_action" value="delete">
              {`Delete “${name}”`}
            </Button>
          </Disclosure>
        ) : null}
      </form>
    </li>
  );
}
