import { useMemo } from 'react';
import type { AdminFinanceProps } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { summaryErrors } from '../../ui/error-summary';
import { TextArea } from '../../ui/field';
import { FormOutcome } from '../../ui/form-outcome';
import { LinkTabs } from '../../ui/link-tabs';
import { Pages } from '../../ui/pages';
import { FinanceFiles } from './finance-files';
import { MoneyTable } from './money-table';
import { MonthFigures } from './month-figures';

const PATH = '/admin-panel/finance';

/** Money across all applications: tasks for Finance, incoming payments, and exports. */
export function FinancePage(props: AdminFinanceProps) {
  const { tabs, about, rows, empty, nextHref, task, closeHref, months, countedText, mayExport, form } = props;
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="stack office-sections figures">
      <div className="figures-top">
        <h1>Finance</h1>
        <a href="/admin-panel/fee-codes">Fee codes</a>
      </div>
      <FormOutcome errors={errors} message={form.message} />
      <section className="stack-small" aria-labelledby="lists-heading">
        <h2 id="lists-heading">What has to be looked after</h2>
        <LinkTabs
          label="Lists"
          tabs={tabs.map(({ label, href, current }) => ({ label, href, isCurrent: current }))}
        />
        <p>{about}</p>
        {task ? (
          <section className="stack-small narrow" id="task" aria-labelledby="task-heading" tabIndex={-1}>
            <h3 id="task-heading">{task.title}</h3>
            <form
              // Resets the form for another task.
              key={task.about}
              className="stack-small"
              method="post"
              action={PATH}
              noValidate
            >
              <input type="hidden" name="about" value={task.about} />
              <TextArea
                label="Note"
                name="note"
                rows={3}
                hint={
                  task.action === 'place'
                    ? 'Where the money went, for the books. Note the payment itself in the ledger it belongs to.'
                    : 'It is kept among the notes about the application. Note the refund itself in the ledger.'
                }
                error={form.errors['note']}
                defaultValue={String(form.values['note'] ?? '')}
              />
              <div className="form-actions">
                <Button name="_action" value={task.action}>
                  {task.action === 'place' ? 'It is placed' : 'It is done'}
                </Button>
                <ButtonLink variant="quiet" href={closeHref}>
                  Leave everything as it is
                </ButtonLink>
              </div>
            </form>
          </section>
        ) : null}
        {rows.length > 0 ? <MoneyTable {...props} /> : <p>{empty}</p>}
        <Pages label="Pages" steps={[{ href: nextHref, label: 'More of them', way: 'next' }]} />
      </section>
      <MonthFigures months={months} countedText={countedText} />
      {mayExport ? <FinanceFiles form={form} /> : null}
    </div>
  );
}
