import type { InterviewWeek, ScheduleProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { TimeButton } from '../../theme/parts/time-choice';
import { Notice } from '../../ui/notice';
import { Pages } from '../../ui/pages';
import { Clocks } from './clocks';
import { HiddenFields } from './hidden-fields';
import { SentWishes } from './sent-wishes';
import type { View } from './views';

interface ChooseTimeProps {
  schedule: ScheduleProps;
  view: View<'choose'>;
  contactEmail: string;
}

/** The free times of a week: a grid if there is room, otherwise a list by day. */
export function ChooseTime({ schedule, view, contactEmail }: ChooseTimeProps) {
  const { week, hold, current } = view;
  return (
    <>
      {view.holdIsOver ? (
        <Notice tone="warning" title="The five minutes are over" role="status">
          <p>We are no longer holding a time for you. If it is still available, choose it again.</p>
        </Notice>
      ) : null}
      {current ? (
        <p>
          It is now on {current.day}, {current.time}. You keep that time until you have another one.{' '}
          <a href="/schedule">Leave it as it is</a>
        </p>
      ) : (
        <p>A forty-minute conversation by video. Choose a time that suits you.</p>
      )}
      {hold ? (
        <Notice
          tone="info"
          title={t`We are holding ${hold.time.day}, ${hold.time.time}, for you until ${hold.untilText}`}
        >
          <p>
            <a href="/schedule?step=confirm">Continue with this time</a>
          </p>
        </Notice>
      ) : null}
      <Clocks schedule={schedule} both />
      {week ? (
        <WeekForm schedule={schedule} week={week} />
      ) : (
        <Notice tone="info" title="No other times are available at the moment">
          <p>
            Check again later, or write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
          </p>
        </Notice>
      )}
      {view.wishes ? <SentWishes wishes={view.wishes} /> : null}
      {current ? null : (
        <p className="small">
          None of these times suit you?{' '}
          <a href="/schedule?step=wishes">
            {view.wishes ? t('Change the three times you have sent') : t('Send us three that do')}
          </a>
        </p>
      )}
    </>
  );
}

function WeekForm({ schedule, week }: { schedule: ScheduleProps; week: InterviewWeek }) {
  return (
    <section className="week" aria-labelledby="week-heading">
      <div className="week-head">
        <h2 id="week-heading">{week.title}</h2>
        <Pages
          label={t('Weeks')}
          steps={[
            { href: week.earlier, label: t('Earlier'), way: 'prev' },
            { href: week.later, label: t('Later'), way: 'next' },
          ]}
        />
      </div>
      <form method="post" action="/schedule">
        <HiddenFields schedule={schedule} action="hold" />
        <ol className="week-days">
          {week.days.map((day) => (
            <Day key={day.long} day={day} />
          ))}
        </ol>
      </form>
    </section>
  );
}

function Day({ day }: { day: InterviewWeek['days'][number] }) {
  if (day.times.length === 0)
    return (
      <li className="week-day week-day-empty">
        <h3>
          <span className="week-weekday">{day.weekday}</span> {day.date}
        </h3>
        <p>No times</p>
      </li>
    );
  return (
    <li className="week-day">
      <h3>
        <span className="week-weekday">{day.weekday}</span> {day.date}
      </h3>
      <ul className="week-times">
        {day.times.map((time) => (
          <li key={time.startsAt}>
            <TimeButton name="startsAt" value={time.startsAt} type="submit">
              <span className="visually-hidden">{day.long}, </span>
              <strong>{time.time}</strong>
              {time.institute ? <small>{time.institute}</small> : null}
            </TimeButton>
          </li>
        ))}
      </ul>
    </li>
  );
}
