import type { OpenDayLine } from '../api/page.gen';

/** Open days to come, each leading to its page. */
export function OpenDayList({ days }: { days: OpenDayLine[] }) {
  return (
    <ul className="open-days">
      {days.map(({ href, title, dayText, timeText, leftText }) => (
        <li key={href}>
          <h3>
            <a href={href}>{title}</a>
          </h3>
          <p>
            {dayText}
            <span>{timeText}</span>
          </p>
          <p className="small">{leftText}</p>
        </li>
      ))}
    </ul>
  );
}
