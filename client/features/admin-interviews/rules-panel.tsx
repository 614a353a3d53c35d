import type { ReactNode } from 'react';
import type { FormState, PersonTimes } from '../../api/page.gen';
import { OfficeItem } from '../../theme/parts/office-list';
import { Button } from '../../ui/button';
import { SelectField, TextField } from '../../ui/field';
import { OfficeList } from '../../ui/office-list';
import { TimeZoneField } from '../../ui/time-zone-field';

interface RulesPanelProps {
  times: PersonTimes;
  /** The day that the calendar shows. */
  date: string;
  form: FormState;
}

/** Somebody's availability. Each change takes effect immediately: bookable times follow, and booked ones stay. */
export function RulesPanel(props: RulesPanelProps) {
  const { times, form } = props;
  const { rules, weekdays, zones, isOwn } = times;
  const typed = (name: string, otherwise = '') => String(form.values[name] ?? otherwise);
  const field = (name: string, otherwise?: string) => ({
    name,
    error: form.errors[name],
    defaultValue: typed(name, otherwise),
  });
  return (
    <section className="stack-small" aria-labelledby="rules-heading">
      <h2 id="rules-heading">{isOwn ? 'When you can be booked' : `When ${times.name} can be booked`}</h2>
      <p>
        Bookable times are made for the next eight weeks as soon as something changes here. What is booked
        stays as it is.
      </p>
      <h3>Every week</h3>
      <Lines {...props} lines={rules.weekly} drop="drop-window" empty="No times yet." />
      <Change {...props} label="Add times of a week">
        <SelectField label="Day" options={weekdays} {...field('weekWeekday', '1')} />
        <TextField label="From" type="time" {...field('weekFrom')} />
        <TextField label="Until" type="time" {...field('weekUntil')} />
        <Button variant="secondary" name="_action" value="window">
          Add to every week
        </Button>
      </Change>
      <h3>Exceptions</h3>
      <Lines {...props} lines={rules.exceptions} drop="drop-exception" empty="No exceptions." />
      <Change {...props} label="Add an exception">
        <TextField label="Date" type="date" {...field('dayDate')} />
        <TextField label="Extra from" type="time" {...field('dayFrom')} />
        <TextField label="Extra until" type="time" {...field('dayUntil')} />
        <Button variant="secondary" name="_action" value="extra">
          Add extra times
        </Button>
        <Button variant="secondary" name="_action" value="off">
          The day is off
        </Button>
      </Change>
      <h3>How</h3>
      <Change {...props} label="How interviews are made">
        <TimeZoneField
          label="Time zone"
          hint="The clock that these times are on."
          name="timeZone"
          zones={zones}
          error={form.errors['timeZone']}
          defaultValue={typed('timeZone', rules.timeZone)}
        />
        <TextField
          label="Minutes of an interview"
          inputMode="numeric"
          {...field('minutes', String(rules.minutes))}
        />
        <TextField
          label="Minutes between two"
          inputMode="numeric"
          {...field('buffer', String(rules.buffer))}
        />
        <TextField
          label="Hours booked ahead, at least"
          inputMode="numeric"
          {...field('notice', String(rules.notice))}
        />
        <Button variant="secondary" name="_action" value="settings">
          Change
        </Button>
      </Change>
    </section>
  );
}

function Fields({ times: { staff, rules }, date }: RulesPanelProps) {
  return (
    <>
      <input type="hidden" name="staff" value={staff} />
      <input type="hidden" name="date" value={date} />
      <input type="hidden" name="revision" value={rules.revision} />
    </>
  );
}

function Change({ label, children, ...props }: RulesPanelProps & { label: string; children: ReactNode }) {
  return (
    <form method="post" action="/admin-panel/interviews" className="office-row" aria-label={label} noValidate>
      <Fields {...props} />
      {children}
    </form>
  );
}

interface LinesProps extends RulesPanelProps {
  lines: string[];
  drop: string;
  empty: string;
}

function Lines({ lines, drop, empty, ...props }: LinesProps) {
  if (lines.length === 0) return <p>{empty}</p>;
  return (
    <form method="post" action="/admin-panel/interviews">
      <Fields {...props} />
      <OfficeList>
        {lines.map((line, place) => (
          <OfficeItem key={line}>
            {line}
            <Button
              variant="quiet"
              name="_action"
              value={`${drop}:${place}`}
              aria-label={`Take out: ${line}`}
            >
              Take out
            </Button>
          </OfficeItem>
        ))}
      </OfficeList>
    </form>
  );
}
