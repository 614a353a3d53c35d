import { useMemo } from 'react';
import type { AdminOpenDayProps, OfficeBooking } from '../../api/page.gen';
import { BackLink } from '../../ui/back-link';
import { Button } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { summaryErrors } from '../../ui/error-summary';
import { FormOutcome } from '../../ui/form-outcome';
import { Table } from '../../ui/table';
import { Tag } from '../../ui/tag';
import { OpenDayFields } from './open-day-fields';
import { OpenDayTag } from './open-day-tag';
import { OPEN_DAYS } from './section-tabs';

/** An open day: who has booked and who came, and changing or cancelling it. */
export function OpenDayPage(props: AdminOpenDayProps) {
  const { day, publicHref, programs, zone, mayBeChanged, bookings, count, csvHref, form } = props;
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="stack office-sections">
      <BackLink href={OPEN_DAYS}>All open days</BackLink>
      <div className="stack-small">
        <h1>{day.title}</h1>
        <p>
          <OpenDayTag {...day} /> {day.whenText} · {day.programText} · {day.taken} of {day.places} places
          taken · <a href={publicHref}>Page to book places</a>
        </p>
      </div>
      <FormOutcome errors={errors} message={form.message} />
      <section className="stack-small" aria-labelledby="bookings-heading">
        <h2 id="bookings-heading">Bookings</h2>
        {bookings.length > 0 ? (
          <>
            <p>
              {count === 1 ? '1 booking' : `${count.toLocaleString('en-US')} bookings`}.{' '}
              <a href={csvHref} data-document>
                Save as CSV
              </a>
            </p>
            <Bookings href={day.href} bookings={bookings} />
          </>
        ) : (
          <p>Nobody has booked.</p>
        )}
      </section>
      {mayBeChanged ? (
        <>
          <section className="narrow stack-small" aria-labelledby="change-heading">
            <h2 id="change-heading">Change</h2>
            <p>Everybody who has booked is told of another time or place by email.</p>
            <form method="post" action={day.href} noValidate>
              <OpenDayFields form={form} programs={programs} zone={zone} />
              <div className="form-actions">
                <Button name="_action" value="change">
                  Save
                </Button>
              </div>
            </form>
          </section>
          <section className="narrow stack-small" aria-labelledby="cancel-heading">
            <h2 id="cancel-heading">Cancel</h2>
            <Disclosure summary="Cancel this open day">
              <form method="post" action={day.href}>
                <p>It cannot be undone. Everybody who has booked is told by email.</p>
                <div className="form-actions">
                  <Button variant="secondary" name="_action" value="cancel">
                    Cancel open day
                  </Button>
                </div>
              </form>
            </Disclosure>
          </section>
        </>
      ) : null}
    </div>
  );
}

function Bookings({ href, bookings }: { href: string; bookings: OfficeBooking[] }) {
  const hasButtons = bookings.some(({ cancelled }) => !cancelled);
  return (
    <form method="post" action={href}>
      <Table label="Who has booked" className="bookings-table" {...(hasButtons ? {} : { tabIndex: 0 })}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">People</th>
            <th scope="col">Attendance</th>
            <th scope="col">Email</th>
            <th scope="col">Language</th>
            <th scope="col">Booked</th>
          </tr>
        </thead>
        <tbody>
          {bookings.map((booking) => (
            <tr key={booking.id} id={booking.anchor}>
              <th scope="row">{booking.name}</th>
              <td>{booking.people}</td>
              <td>
                <Attendance {...booking} />
              </td>
              <td>{booking.email}</td>
              <td>{booking.languageText}</td>
              <td>{booking.bookedText}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </form>
  );
}

function Attendance({ id, name, cancelled, came }: OfficeBooking) {
  const act = (value: string, label: string) => (
    <Button variant="quiet" name="_action" value={`${value}:${id}`}>
      {label}
      <span className="visually-hidden">: {name}</span>
    </Button>
  );
  if (cancelled) return <Tag shape="close">Canceled</Tag>;
  if (came === null) {
    return (
      <>
        {act('came', 'Came')} {act('missed', 'Did not come')}
      </>
    );
  }
  return (
    <>
      {came ? <Tag shape="check">Came</Tag> : <Tag shape="circle">Did not come</Tag>} {act('unknown', 'Undo')}
    </>
  );
}
