import { useMemo } from 'react';
import type { AdminDecisionsProps } from '../../api/page.gen';
import { BackLink } from '../../ui/back-link';
import { Button } from '../../ui/button';
import { summaryErrors } from '../../ui/error-summary';
import { FormOutcome } from '../../ui/form-outcome';
import { DecisionTable } from './decision-table';
import { ReleasePanel } from './release-panel';

const PATH = '/admin-panel/decisions';

/** The drafts awaiting release, and the decisions released so recently that they can be recalled. */
export function DecisionsPage({ drafts, moreText, held, step, zone, form }: AdminDecisionsProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="stack office-sections">
      <BackLink href="/admin-panel/applications?tab=decisions">Applications</BackLink>
      <h1>Decisions to release</h1>
      <FormOutcome errors={errors} message={form.message} />
      {step ? <ReleasePanel step={step} zone={zone} form={form} /> : null}
      <section className="stack-small" aria-labelledby="drafts-heading">
        <h2 id="drafts-heading">Drafts</h2>
        {drafts.length > 0 ? (
          <form method="post" action={PATH} className="stack-small office-wide">
            {moreText ? <p>{moreText}</p> : null}
            <DecisionTable label="Table of drafts" rows={drafts} choose="decision" />
            <div className="form-actions">
              <Button name="_action" value="choose">
                Release the chosen…
              </Button>
              <Button variant="secondary" name="_action" value="all">
                {drafts.length === 1 ? 'Release it…' : `Release all ${drafts.length}…`}
              </Button>
              {drafts.some((row) => row.plannedText) ? (
                <Button variant="quiet" name="_action" value="unplan">
                  Do not release the chosen by themselves
                </Button>
              ) : null}
            </div>
          </form>
        ) : (
          <p>
            No draft waits. Decisions are drafted in an application:{' '}
            <a href="/admin-panel/applications?tab=decisions">see which ones are due</a>.
          </p>
        )}
      </section>
      <section className="stack-small" aria-labelledby="held-heading">
        <h2 id="held-heading">Released less than 15 minutes ago</h2>
        {held.length > 0 ? (
          <form method="post" action={PATH} className="stack-small office-wide">
            <p>Their applicants see nothing yet, and no mail is sent.</p>
            <DecisionTable label="Table of what can be recalled" rows={held} choose="held" />
            <div className="form-actions">
              <Button variant="secondary" name="_action" value="recall">
                Recall the chosen
              </Button>
            </div>
          </form>
        ) : (
          <p>Nothing can be recalled now.</p>
        )}
      </section>
    </div>
  );
}
