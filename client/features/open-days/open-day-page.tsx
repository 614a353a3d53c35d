import { useMemo } from 'react';
import type { OpenDayProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Button } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { ErrorSummary, summaryErrors } from '../../ui/error-summary';
import { CheckboxField, emailInput, SelectField, TextField } from '../../ui/field';
import { Notice } from '../../ui/notice';
import { OpenDayList } from '../../ui/open-day-list';

/** An open day, and the form to book places. */
export function OpenDayPage(props: OpenDayProps) {
  const { line, state, programName, applyHref, booked, others } = props;
  const isToCome = state === 'open' || state === 'full';
  return (
    <div className="narrow stack open-day">
      <header className="stack-small">
        <p className="eyebrow">{programName ? t`Open day, ${programName}` : t('Open day')}</p>
        <h1>{line.title}</h1>
      </header>
      <Told {...props} />
      <dl className="facts-list">
        <div>
          <dt>When</dt>
          <dd>
            {line.dayText}
            <br />
            {line.timeText}
          </dd>
        </div>
        {isToCome ? (
          <>
            <div>
              <dt>Where</dt>
              <dd>We tell you by email as soon as you have booked.</dd>
            </div>
            <div>
              <dt>Places</dt>
              <dd>{line.leftText}</dd>
            </div>
          </>
        ) : null}
      </dl>
      {isToCome && !booked ? <Booking {...props} /> : null}
      {others.length > 0 && !booked ? (
        <section className="stack-small" aria-labelledby="others-heading">
          <h2 id="others-heading">Other open days</h2>
          <OpenDayList days={others} />
        </section>
      ) : null}
      <p className="small">
        <a href={applyHref}>About the program</a>
      </p>
    </div>
  );
}

/** Somebody who has places of a full day can still take fewer. */
function Booking(props: OpenDayProps) {
  const { form } = props;
  if (props.state === 'full') {
    const isRefused = Object.keys(form.errors).length > 0 || form.error !== undefined;
    return (
      <Disclosure summary="Have you booked? Change the number of people" open={isRefused || undefined}>
        <BookingForm {...props} />
      </Disclosure>
    );
  }
  return (
    <section className="stack" aria-labelledby="book-heading">
      <h2 id="book-heading">Book your places</h2>
      <BookingForm {...props} />
    </section>
  );
}

function Told({ line, state, booked }: OpenDayProps) {
  if (booked) {
    return (
      <Notice tone="success" role="status" title={t('You have booked')}>
        <p>
          We have sent you an email with the place, a file for your calendar, and a link to cancel.{' '}
          <a href={line.href}>Change the number of people, or book for someone else</a>.
        </p>
      </Notice>
    );
  }
  switch (state) {
    case 'open':
      return null;
    case 'full':
      return (
        <Notice tone="warning" title={t('This open day is full')}>
          <p>If someone cancels, you can book here again.</p>
        </Notice>
      );
    case 'over':
      return <Notice tone="info" title={t('This open day is over')} />;
    case 'cancelled':
      return (
        <Notice tone="warning" title={t('This open day has been canceled')}>
          <p>We have written to everyone who had booked.</p>
        </Notice>
      );
  }
}

function BookingForm({ line, mostPeople, form }: OpenDayProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  const value = (name: string) => String(form.values[name] ?? '');
  const numbers = Array.from({ length: mostPeople }, (_, index) => String(index + 1));
  return (
    <form method="post" action={line.href} noValidate>
      <ErrorSummary errors={errors} />
      <div className="field-pair">
        <TextField
          label="First name"
          name="firstName"
          autoComplete="given-name"
          required
          error={form.errors['firstName']}
          defaultValue={value('firstName')}
        />
        <TextField
          label="Last name"
          name="lastName"
          autoComplete="family-name"
          required
          error={form.errors['lastName']}
          defaultValue={value('lastName')}
        />
      </div>
      <TextField
        {...emailInput}
        name="email"
        autoComplete="email"
        error={form.errors['email']}
        defaultValue={value('email')}
      />
      <SelectField
        label="Number of people"
        name="people"
        hint="You and whoever comes with you."
        options={numbers.map((number) => ({ value: number, label: number }))}
        error={form.errors['people']}
        defaultValue={value('people') || '1'}
      />
      <CheckboxField
        name="consent"
        value="yes"
        required
        label="You may keep these details for the open day and email me about it."
        error={form.errors['consent']}
        defaultChecked={form.values['consent'] === 'yes'}
      />
      <div className="form-actions">
        <Button>Book</Button>
      </div>
    </form>
  );
}
