import { swatch } from '../../ui/chart-patterns';
import { roundUp } from '../../ui/chart-scale';
import { ChartPoints, tipHeight } from './chart-points';
import type { Point } from './chart-points';
import { stacked, sum } from './stacked';

const WIDTH = 780;
const ROW = 30;
const LEFT = 156;
const RIGHT = 130;

export interface Row extends Point {
  /** Segments in a row; a single one is solid. */
  parts: number[];
  /** Position of a line across the bar. */
  mark?: number | null;
  /** Text after the bar. */
  end: string;
}

/** A horizontal bar chart. */
export function RowChart({ rows, label }: { rows: Row[]; label: string }) {
  const end = roundUp(Math.max(...rows.map(({ parts, mark }) => Math.max(sum(parts), mark ?? 0))));
  const wide = (value: number) => (value / end) * (WIDTH - LEFT - RIGHT);
  // A few rows leave room for the tooltips, too.
  const height = Math.max(ROW * rows.length + 4, ...rows.map((row) => tipHeight(row) + 2));
  return (
    <div className="figures-scroll">
      <svg viewBox={`0 0 ${WIDTH} ${height}`} role="group" aria-label={label} className="figures-chart">
        <g aria-hidden="true">
          {rows.map(({ label: name, parts, mark, end: behind }, index) => (
            <g key={name}>
              <text x={LEFT - 10} y={ROW * index + 20} textAnchor="end">
                {name}
              </text>
              {stacked(parts).map(({ from, to, place }) =>
                to > from ? (
                  <rect
                    key={place}
                    x={LEFT + wide(from)}
                    width={wide(to) - wide(from)}
                    y={ROW * index + 6}
                    height={ROW - 12}
                    className="figures-part"
                    fill={parts.length > 1 ? swatch(place) : 'currentColor'}
                  />
                ) : null,
              )}
              {mark ? (
                <line
                  x1={LEFT + wide(mark)}
                  x2={LEFT + wide(mark)}
                  y1={ROW * index + 4}
                  y2={ROW * (index + 1) - 4}
                  className="figures-mark"
                />
              ) : null}
              <text x={LEFT + wide(Math.max(sum(parts), mark ?? 0)) + 8} y={ROW * index + 20}>
                {behind}
              </text>
            </g>
          ))}
        </g>
        <ChartPoints
          points={rows}
          box={(index) => ({ x: 0, y: ROW * index + 2, width: WIDTH, height: ROW - 4 })}
          width={WIDTH}
          height={height}
          rows
        />
      </svg>
    </div>
  );
}
