import { useMemo } from 'react';
import type { AdminInterviewsProps } from '../../api/page.gen';
import { BackLink } from '../../ui/back-link';
import { Button, ButtonLink } from '../../ui/button';
import { summaryErrors } from '../../ui/error-summary';
import { SelectField } from '../../ui/field';
import { FormOutcome } from '../../ui/form-outcome';
import { FeedPanel } from './feed-panel';
import { RulesPanel } from './rules-panel';
import { WeekTable } from './week-table';

const PATH = '/admin-panel/interviews';

/** Somebody's interviews by weeks, when they can be met, and the feed of one's own calendar. */
export function InterviewsPage(props: AdminInterviewsProps) {
  const { people, staff, staffName, isOwn, week, weekText, days, form } = props;
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="stack office-sections">
      <BackLink href="/admin-panel/applications?tab=interviews">Applications</BackLink>
      <h1>{isOwn ? 'My interviews' : `Interviews of ${staffName}`}</h1>
      <FormOutcome errors={errors} message={form.message} />
      {people.length > 1 ? (
        <form className="office-row" method="get" action={PATH}>
          <input type="hidden" name="week" value={week} />
          <SelectField label="Whose" name="staff" options={people} defaultValue={staff} key={staff} />
          <Button variant="secondary">Show</Button>
        </form>
      ) : null}
      <section className="stack-small" aria-labelledby="week-heading">
        <h2 id="week-heading">{weekText}</h2>
        <nav className="row" aria-label="Weeks">
          <ButtonLink variant="secondary" href={props.previousHref} rel="prev">
            Previous week
          </ButtonLink>
          <ButtonLink variant="secondary" href={props.nextHref} rel="next">
            Next week
          </ButtonLink>
          <ButtonLink variant="quiet" href={props.thisWeekHref}>
            This week
          </ButtonLink>
        </nav>
        <WeekTable days={days} zone={props.rules.timeZone} />
      </section>
      <RulesPanel {...props} />
      {props.feed ? <FeedPanel feed={props.feed} staff={staff} week={week} /> : null}
    </div>
  );
}
