import type { FiguresSpan } from '../../api/page.gen';
import { swatch } from '../../ui/chart-patterns';
import { roundUp } from '../../ui/chart-scale';
import { ChartPoints } from './chart-points';
import type { Point } from './chart-points';
import { stacked, sum, told } from './stacked';

const WIDTH = 780;
const HEIGHT = 260;
const LEFT = 48;
const BOTTOM = 36;
const TOP = 16;
const HIGH = HEIGHT - BOTTOM - TOP;
/** Number of days or months labelled below the bars. */
const WRITTEN = 5;

/** Maximum width of a label. */
const WORDS = 80;

interface Bar extends Point {
  /** Stacked segments; a single one is solid. */
  parts: number[];
  /** Position of a line across the bar. */
  mark?: number | null;
}

interface SpanChartProps {
  spans: FiguresSpan[];
  /** Describes the chart in words. */
  label: string;
  bar: (span: FiguresSpan) => Bar;
}

/** A bar for each week or month, from left to right, with a numeric axis. */
export function SpanChart({ spans, label, bar }: SpanChartProps) {
  const bars = spans.map(bar);
  const end = roundUp(Math.max(...bars.map(({ parts, mark }) => Math.max(sum(parts), mark ?? 0))));
  const up = (value: number) => HEIGHT - BOTTOM - (value / end) * HIGH;
  const step = (WIDTH - LEFT) / spans.length;
  const gap = Math.min(3, step / 6);
  const across = (index: number) => LEFT + index * step + gap;
  const wide = Math.min(step - 2 * gap, 60);
  const every = Math.ceil(spans.length / WRITTEN);
  return (
    <div className="figures-scroll">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="group" aria-label={label} className="figures-chart">
        <g aria-hidden="true">
          {[0, end / 2, end].map((value) => (
            <g key={value}>
              <line x1={LEFT} x2={WIDTH} y1={up(value)} y2={up(value)} className="figures-axis" />
              <text x={LEFT - 6} y={up(value) + 4} textAnchor="end">
                {told(value)}
              </text>
            </g>
          ))}
          {bars.map(({ label: name, parts, mark }, index) => (
            <g key={name}>
              {index % every === 0 ? (
                <text
                  x={across(index) + WORDS > WIDTH ? WIDTH : across(index)}
                  y={HEIGHT - 12}
                  textAnchor={across(index) + WORDS > WIDTH ? 'end' : undefined}
                >
                  {spans[index]?.label}
                </text>
              ) : null}
              {stacked(parts).map(({ from, to, place }) =>
                to > from ? (
                  <rect
                    key={place}
                    x={across(index)}
                    width={wide}
                    y={up(to)}
                    height={up(from) - up(to)}
                    className="figures-part"
                    fill={parts.length > 1 ? swatch(place) : 'currentColor'}
                  />
                ) : null,
              )}
              {mark ? (
                <line
                  x1={across(index)}
                  x2={across(index) + wide}
                  y1={up(mark)}
                  y2={up(mark)}
                  className="figures-mark"
                />
              ) : null}
            </g>
          ))}
        </g>
        <ChartPoints
          points={bars}
          box={(index) => ({
            x: LEFT + index * step,
            y: TOP,
            width: Math.min(step, wide + 2 * gap),
            height: HEIGHT - BOTTOM - TOP,
          })}
          width={WIDTH}
          height={HEIGHT}
        />
      </svg>
    </div>
  );
}
