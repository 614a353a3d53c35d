import type { ToldTime as Told } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Moment } from '../../theme/parts/told-time';

interface ToldTimeProps {
  time: Told;
  minutes?: number;
  zone: string;
}

/** A time, large, in the chosen time zone and in the institute's. */
export function ToldTime({ time, minutes, zone }: ToldTimeProps) {
  return (
    <Moment component="p" className="told-time">
      <strong>{time.day}</strong>
      <strong>{time.time}</strong>
      <span>
        {zone}
        {minutes ? t`, ${minutes} minutes by video` : null}
      </span>
      {time.institute ? <span>{time.institute} at the institute</span> : null}
    </Moment>
  );
}
