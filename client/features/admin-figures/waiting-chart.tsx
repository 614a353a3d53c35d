import type { FiguresWaiting } from '../../api/page.gen';
import { swatch } from '../../ui/chart-patterns';
import { roundUp } from '../../ui/chart-scale';
import { stacked } from './weeks-chart';

const WIDTH = 780;
const ROW = 34;
const LEFT = 150;
const RIGHT = 80;

interface WaitingChartProps {
  waiting: FiguresWaiting[];
  waits: string[];
}

/** A bar for each stage, in parts by how long applications have been in it. */
export function WaitingChart({ waiting, waits }: WaitingChartProps) {
  const all = waiting.map(({ counts }) => counts.reduce((sum, count) => sum + count, 0));
  const end = roundUp(Math.max(...all));
  const wide = (value: number) => (value / end) * (WIDTH - LEFT - RIGHT);
  const label = 'Chart: applications by stage and time in it';
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it is scrolled by keyboard
    <div className="figures-scroll" role="region" aria-label={label} tabIndex={0}>
      <svg
        viewBox={`0 0 ${WIDTH} ${ROW * waiting.length + 4}`}
        role="img"
        aria-label={label}
        className="figures-chart"
      >
        {waiting.map(({ stage, counts }, index) => (
          <g key={stage}>
            <text x={LEFT - 10} y={ROW * index + 22} textAnchor="end">
              {stage}
            </text>
            {stacked(counts).map(({ from, to, place }) =>
              to > from ? (
                <rect
                  key={waits[place]}
                  x={LEFT + wide(from)}
                  width={wide(to) - wide(from)}
                  y={ROW * index + 6}
                  height={ROW - 12}
                  className="figures-part"
                  fill={swatch(place)}
                />
              ) : null,
            )}
            <text x={LEFT + wide(all[index] ?? 0) + 8} y={ROW * index + 22}>
              {(all[index] ?? 0).toLocaleString('en-US')}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}
