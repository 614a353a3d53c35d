import { useMemo } from 'react';
import type { AdminInterviewsProps } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { summaryErrors } from '../../ui/error-summary';
import { ChoiceInput } from '../../ui/field';
import { FormOutcome } from '../../ui/form-outcome';
import { LinkTabs } from '../../ui/link-tabs';
import { Pages } from '../../ui/pages';
import { ToolMenu } from '../../ui/tool-menu';
import { useHydrated } from '../../ui/use-hydrated';
import { Calendar } from './calendar';
import { FeedPanel } from './feed-panel';
import { RulesPanel } from './rules-panel';

const PATH = '/admin-panel/interviews';

/** Interviews by day and week; for a single person also their availability, and the user's own calendar feed. */
export function InterviewsPage(props: AdminInterviewsProps) {
  const { view, people, date, title, times, form } = props;
  const errors = useMemo(() => summaryErrors(form), [form]);
  const shown = people.filter(({ isShown }) => isShown);
  return (
    <div className="stack office-sections calendar-page">
      <FormOutcome errors={errors} message={form.message} />
      <div className="calendar-tools">
        <h1>Interviews</h1>
        <LinkTabs
          label="Views"
          tabs={[
            { href: props.weekHref, label: 'Week', isCurrent: view === 'week' },
            { href: props.dayHref, label: 'Day', isCurrent: view === 'day' },
          ]}
        />
        {people.length > 1 ? <People key={shown.map(({ id }) => id).join()} {...props} /> : null}
        <h2 id="calendar-heading">{title}</h2>
        <Pages
          label={view === 'week' ? 'Weeks' : 'Days'}
          steps={[
            {
              href: props.previousHref,
              label: view === 'week' ? 'Previous week' : 'Previous day',
              way: 'prev',
            },
            { href: props.todayHref, label: view === 'week' ? 'This week' : 'Today' },
            { href: props.nextHref, label: view === 'week' ? 'Next week' : 'Next day', way: 'next' },
          ]}
        />
      </div>
      <section className="stack-small" aria-labelledby="calendar-heading">
        <Calendar {...props} />
      </section>
      {times ? (
        <>
          <RulesPanel times={times} date={date} form={form} />
          {times.feed ? <FeedPanel feed={times.feed} staff={times.staff} date={date} /> : null}
        </>
      ) : (
        <p>
          Bookable times are set in each person’s own calendar, for example{' '}
          <a href={`${PATH}?staff=${shown[0]?.id ?? ''}`}>in that of {shown[0]?.name}</a>.
        </p>
      )}
    </div>
  );
}

/** Selects whose calendars to show. With JavaScript a choice applies immediately. */
function People({ people, date, view }: AdminInterviewsProps) {
  const isHydrated = useHydrated();
  const shown = people.filter(({ isShown }) => isShown);
  const label = shown.length === 1 ? (shown[0]?.name ?? '') : `${shown.length} people`;
  return (
    <ToolMenu icon="person" label={label}>
      <form method="get" action={PATH} className="calendar-people" aria-label="People">
        <input type="hidden" name="date" value={date} />
        <input type="hidden" name="view" value={view} />
        <ul>
          {people.map(({ id, name, isShown }) => (
            <li key={id}>
              <ChoiceInput type="checkbox" name="staff" value={id} label={name} defaultChecked={isShown} />
              {isHydrated ? (
                <a href={`${PATH}?staff=${id}&date=${date}&view=${view}`} aria-label={`Only ${name}`}>
                  Only
                </a>
              ) : null}
            </li>
          ))}
        </ul>
        <Button variant="secondary">Show</Button>
      </form>
    </ToolMenu>
  );
}
