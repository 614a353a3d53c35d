import type { ReactNode } from 'react';
import type { OpenDayBookingInfo, OpenDayBookingProps, ProgramPath } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Button, ButtonLink } from '../../ui/button';
import { LinkedText } from '../../ui/linked-text';
import { Notice } from '../../ui/notice';

interface BookingPageProps extends OpenDayBookingProps {
  program: ProgramPath;
}

/** Somebody's booking of an open day. Cancelling it takes a button, because mail scanners open links. */
export function BookingPage({ token, booking, error, program }: BookingPageProps) {
  if (!booking) {
    return (
      <Told heading="This link is no longer valid">
        <p>{error ?? t('There is no booking behind it. It may have been canceled.')}</p>
        <ButtonLink variant="secondary" href={`/${program}/apply`}>
          See the program
        </ButtonLink>
      </Told>
    );
  }
  const { line, state } = booking;
  switch (state) {
    case 'cancelled':
      return (
        <Told heading="Your booking is canceled">
          <Facts {...booking} />
          <p>Thank you for telling us: others can have your places now.</p>
          <ButtonLink variant="secondary" href={line.href}>
            Book again
          </ButtonLink>
        </Told>
      );
    case 'day-cancelled':
      return (
        <Told heading="This open day has been canceled">
          <Facts {...booking} />
          <ButtonLink variant="secondary" href={line.href}>
            See other open days
          </ButtonLink>
        </Told>
      );
    case 'over':
      return (
        <Told heading="This open day is over">
          <Facts {...booking} />
          <ButtonLink variant="secondary" href={`/${program}/apply`}>
            See the program
          </ButtonLink>
        </Told>
      );
    case 'booked':
      return <Booked token={token} booking={booking} error={error} />;
  }
}

function Booked({
  token,
  booking,
  error,
}: Pick<BookingPageProps, 'token' | 'error'> & { booking: OpenDayBookingInfo }) {
  return (
    <div className="narrow stack">
      <h1>Your booking</h1>
      {error ? (
        <Notice tone="error" role="alert">
          <p>{error}</p>
        </Notice>
      ) : null}
      <Facts {...booking} />
      <p>
        Not coming? Please cancel, so that others can have your places. To change the number of people,{' '}
        <a href={booking.line.href}>book again</a> with the same email.
      </p>
      <form method="post" action="/open-days/booking">
        <input type="hidden" name="token" value={token} />
        <div className="form-actions">
          <Button variant="secondary">Cancel my booking</Button>
        </div>
      </form>
    </div>
  );
}

function Facts({ line, state, place, peopleText }: OpenDayBookingInfo) {
  return (
    <dl className="facts-list">
      <div>
        <dt>Open day</dt>
        <dd>{line.title}</dd>
      </div>
      <div>
        <dt>When</dt>
        <dd>
          {line.dayText}
          <br />
          {line.timeText}
        </dd>
      </div>
      {state === 'booked' ? (
        <div>
          <dt>Where</dt>
          <dd>
            <LinkedText text={place} />
          </dd>
        </div>
      ) : null}
      <div>
        <dt>Places</dt>
        <dd>{peopleText}</dd>
      </div>
    </dl>
  );
}

function Told({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <div className="narrow stack" role="status">
      <h1>{heading}</h1>
      {children}
    </div>
  );
}
