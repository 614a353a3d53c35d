import { useMemo } from 'react';
import type { AdminInterviewsProps } from '../../api/page.gen';
import { BackLink } from '../../ui/back-link';
import { Button } from '../../ui/button';
import { summaryErrors } from '../../ui/error-summary';
import { SelectField } from '../../ui/field';
import { FormOutcome } from '../../ui/form-outcome';
import { Pages } from '../../ui/pages';
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
        <Pages
          label="Weeks"
          steps={[
            { href: props.previousHref, label: 'Previous week', way: 'prev' },
            { href: props.thisWeekHref, label: 'This week' },
            { href: props.nextHref, label: 'Next week', way: 'next' },
          ]}
        />
        <WeekTable days={days} zone={props.rules.timeZone} />
      </section>
      <RulesPanel {...props} />
      {props.feed ? <FeedPanel feed={props.feed} staff={staff} week={week} /> : null}
    </div>
  );
}
