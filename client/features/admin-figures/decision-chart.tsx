import type { FiguresWeek } from '../../api/page.gen';
import { STEP, WeeksFrame, across } from './frame';

/** For each week the days that half of its decisions took, and those that nine of ten took. */
export function DecisionChart({ weeks }: { weeks: FiguresWeek[] }) {
  const most = Math.max(...weeks.map(({ mostDays }) => mostDays ?? 0));
  return (
    <WeeksFrame weeks={weeks} most={most} label="Chart: days from submission to decision by week">
      {(up) =>
        weeks.map(({ week, medianDays, mostDays }, index) =>
          medianDays === null || mostDays === null ? null : (
            <g key={week}>
              <rect
                x={across(index) + 3}
                width={STEP - 6}
                y={up(medianDays)}
                height={up(0) - up(medianDays)}
                className="figures-part"
                fill="currentColor"
              />
              <line
                x1={across(index) + 3}
                x2={across(index) + STEP - 3}
                y1={up(mostDays)}
                y2={up(mostDays)}
                className="figures-mark"
              />
            </g>
          ),
        )
      }
    </WeeksFrame>
  );
}
