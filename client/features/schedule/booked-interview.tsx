import type { ScheduleProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Button, ButtonLink } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { TextArea } from '../../ui/field';
import { HiddenFields } from './hidden-fields';
import { ToldTime } from './told-time';
import type { View } from './views';

interface BookedInterviewProps {
  schedule: ScheduleProps;
  view: View<'booked'>;
  contactEmail: string;
}

/** When the interview is, what to expect, and how to move or cancel it. */
export function BookedInterview({ schedule, view, contactEmail }: BookedInterviewProps) {
  return (
    <div className="narrow stack">
      <p className="lead">
        {view.hasBegun ? t('It is time for your interview.') : t`It is ${view.countdown}.`}
      </p>
      <ToldTime time={view.time} minutes={view.minutes} zone={schedule.zone} />
      {schedule.instituteZone ? null : (
        <p className="small">
          <a href="/schedule?step=zone">Show it in another time zone</a>
        </p>
      )}
      <div className="form-actions">
        <ButtonLink variant="secondary" href="/schedule/interview.ics" download="interview.ics">
          Add it to your calendar
        </ButtonLink>
        {view.noMove ? null : (
          <ButtonLink variant="secondary" href="/schedule?step=move">
            Move it to another time
          </ButtonLink>
        )}
      </div>
      <section aria-labelledby="expect-heading" className="stack-small">
        <h2 id="expect-heading">What to expect</h2>
        <ul>
          <li>Your interviewer will email you the link to the video call.</li>
          <li>
            We will talk about why you are applying, what you bring with you, and how you plan to study.
          </li>
          <li>There will be time for your own questions. You do not need to prepare anything.</li>
          <li>We will remind you by email the day before and an hour before.</li>
        </ul>
      </section>
      <section aria-labelledby="change-heading" className="stack-small">
        <h2 id="change-heading">Has something come up?</h2>
        <p>{view.noMove ?? moveWords(view)}</p>
        {view.noMove || view.noCancel ? (
          <p>
            Write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
          </p>
        ) : null}
        {view.noCancel ? <p>{view.noCancel}</p> : <CancelForm schedule={schedule} />}
      </section>
    </div>
  );
}

function moveWords({ movesLeft, moveUntil }: View<'booked'>): string {
  return movesLeft === 1
    ? t`You can move your interview once more, until ${moveUntil}, and cancel it until it begins.`
    : t`You can move your interview twice, until ${moveUntil}, and cancel it until it begins.`;
}

function CancelForm({ schedule }: { schedule: ScheduleProps }) {
  const { values, errors } = schedule.form;
  const reason = values['reason'];
  return (
    <Disclosure open={'reason' in errors} summary="Cancel your interview">
      <form method="post" action="/schedule" noValidate className="stack-small">
        <HiddenFields schedule={schedule} action="cancel" />
        <p>Your application stays with us, and you can book another time.</p>
        <TextArea
          name="reason"
          label="Why are you canceling? (optional)"
          maxLength={1000}
          defaultValue={typeof reason === 'string' ? reason : ''}
          error={errors['reason']}
        />
        <div className="form-actions">
          <Button variant="secondary">Cancel my interview</Button>
        </div>
      </form>
    </Disclosure>
  );
}
