import type { FiguresWeek } from '../../api/page.gen';
import { STEP, WeeksFrame, across } from './frame';
import { swatch } from '../../ui/chart-patterns';

/** A bar for each week, in parts by status. */
export function WeeksChart({ weeks, statuses }: { weeks: FiguresWeek[]; statuses: string[] }) {
  const most = Math.max(...weeks.map(({ submitted }) => submitted));
  return (
    <WeeksFrame weeks={weeks} most={most} label="Chart: applications by week and status">
      {(up) =>
        weeks.map((week, index) => (
          <g key={week.week}>
            {stacked(week.byStatus).map(({ from, to, place }) =>
              to > from ? (
                <rect
                  key={statuses[place]}
                  x={across(index) + 3}
                  width={STEP - 6}
                  y={up(to)}
                  height={up(from) - up(to)}
                  className="figures-part"
                  fill={swatch(place)}
                />
              ) : null,
            )}
          </g>
        ))
      }
    </WeeksFrame>
  );
}

/** Where each of the counts begins and ends when they stand on each other. */
export function stacked(counts: number[]): { from: number; to: number; place: number }[] {
  let to = 0;
  return counts.map((count, place) => {
    const from = to;
    to += count;
    return { from, to, place };
  });
}
