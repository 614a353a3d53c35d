import { useMemo } from 'react';
import type { AdminOpenDaysProps, OfficeOpenDay } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { summaryErrors } from '../../ui/error-summary';
import { FormOutcome } from '../../ui/form-outcome';
import { Table } from '../../ui/table';
import { OpenDayFields } from './open-day-fields';
import { OpenDayTag } from './open-day-tag';
import { OPEN_DAYS, SectionTabs } from './section-tabs';

/** Open days to come and of the past, and the form to add one. */
export function OpenDaysPage({ upcoming, past, programs, zone, form }: AdminOpenDaysProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="list-page office-open-days">
      <div className="list-top">
        <h1>Open days</h1>
        <SectionTabs open={OPEN_DAYS} />
      </div>
      <FormOutcome errors={errors} message={form.message} />
      <section className="stack-small" aria-labelledby="upcoming-heading">
        <h2 id="upcoming-heading">To come</h2>
        {upcoming.length > 0 ? (
          <Days label="Open days to come" days={upcoming} />
        ) : (
          <p>No open days are planned. Each program’s page shows its next three.</p>
        )}
      </section>
      {past.length > 0 ? (
        <section className="stack-small" aria-labelledby="past-heading">
          <h2 id="past-heading">Past</h2>
          <Days label="Past open days" days={past} />
        </section>
      ) : null}
      <section className="stack-small narrow" aria-labelledby="add-heading">
        <h2 id="add-heading">Add an open day</h2>
        <form method="post" action={OPEN_DAYS} noValidate>
          <OpenDayFields form={form} programs={programs} zone={zone} />
          <div className="form-actions">
            <Button name="_action" value="create">
              Add open day
            </Button>
          </div>
        </form>
      </section>
    </div>
  );
}

function Days({ label, days }: { label: string; days: OfficeOpenDay[] }) {
  return (
    <Table label={label} className="list-table">
      <thead>
        <tr>
          <th scope="col" className="list-name">
            Title
          </th>
          <th scope="col">When</th>
          <th scope="col">Program</th>
          <th scope="col">Places taken</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {days.map((day) => (
          <tr key={day.href}>
            <th scope="row" className="list-name">
              <a href={day.href} title={day.title}>
                {day.title}
              </a>
            </th>
            <td data-label="When">{day.whenText}</td>
            <td data-label="Program">{day.programText}</td>
            <td data-label="Places taken">
              {day.taken} of {day.places}
            </td>
            <td data-label="State">
              <OpenDayTag {...day} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
