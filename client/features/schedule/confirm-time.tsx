import { useEffect, useState } from 'react';
import type { ScheduleProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Button, ButtonLink } from '../../ui/button';
import { Notice } from '../../ui/notice';
import { HiddenFields } from './hidden-fields';
import { ToldTime } from './told-time';
import type { View } from './views';

interface ConfirmTimeProps {
  schedule: ScheduleProps;
  view: View<'confirm'>;
}

/** The held time, shown once more and large, before it is booked. */
export function ConfirmTime({ schedule, view }: ConfirmTimeProps) {
  const { hold, current } = view;
  const left = useTimeLeft(hold.secondsLeft);
  return (
    <div className="narrow stack">
      <ToldTime time={hold.time} minutes={hold.minutes} zone={schedule.zone} />
      <div role="status">
        {left === 'over' ? (
          <Notice tone="warning" title="The five minutes are over">
            <p>
              Someone else may take this time now. Book it if it is still available, or choose another one.
            </p>
          </Notice>
        ) : (
          <p>
            We are holding this time for you until {hold.untilText}.
            {left === 'minute' ? t(' That is in less than a minute.') : null}
          </p>
        )}
      </div>
      {current ? (
        <p>
          It takes the place of {current.day}, {current.time}.
        </p>
      ) : null}
      <form method="post" action="/schedule" className="form-actions">
        <HiddenFields schedule={schedule} action={current ? 'move' : 'book'} />
        <input type="hidden" name="startsAt" value={hold.time.startsAt} />
        <Button>{current ? t('Move my interview') : t('Book my interview')}</Button>
        <ButtonLink variant="quiet" href={current ? '/schedule?step=move' : '/schedule'}>
          Choose another time
        </ButtonLink>
      </form>
    </div>
  );
}

/**
 * Returns how much of the held time is left. Announced twice and not every second: nobody can listen to a clock and
 * read.
 */
function useTimeLeft(seconds: number): 'minutes' | 'minute' | 'over' {
  const [left, setLeft] = useState<'minutes' | 'minute' | 'over'>('minutes');
  useEffect(() => {
    const timers = [
      setTimeout(() => setLeft('minute'), Math.max(seconds - 60, 0) * 1000),
      setTimeout(() => setLeft('over'), Math.max(seconds, 0) * 1000),
    ];
    return () => timers.forEach((timer) => clearTimeout(timer));
  }, [seconds]);
  return left;
}
