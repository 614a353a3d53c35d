import type { ReactNode } from 'react';
import type { FiguresWeek } from '../../api/page.gen';
import { roundUp } from '../../ui/chart-scale';

export const WIDTH = 780;
export const HEIGHT = 260;
const LEFT = 48;
const BOTTOM = 36;
const TOP = 16;
/** From one week to the next. */
export const STEP = (WIDTH - LEFT) / 26;
const HIGH = HEIGHT - BOTTOM - TOP;

/** Where the week with this place begins. */
export function across(index: number): number {
  return LEFT + index * STEP;
}

interface FrameProps {
  weeks: FiguresWeek[];
  /** The largest value. */
  most: number;
  /** What is to be seen, in words. */
  label: string;
  children: (up: (value: number) => number) => ReactNode;
}

/** Weeks from left to right over an axis of numbers. */
export function WeeksFrame({ weeks, most, label, children }: FrameProps) {
  const end = roundUp(most);
  const up = (value: number) => HEIGHT - BOTTOM - (value / end) * HIGH;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it is scrolled by keyboard
    <div className="figures-scroll" role="region" aria-label={label} tabIndex={0}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} className="figures-chart">
        {[0, end / 2, end].map((value) => (
          <g key={value}>
            <line x1={LEFT} x2={WIDTH} y1={up(value)} y2={up(value)} className="figures-axis" />
            <text x={LEFT - 6} y={up(value) + 4} textAnchor="end">
              {value.toLocaleString('en-US')}
            </text>
          </g>
        ))}
        {weeks.map(({ week }, index) =>
          index % 5 === 0 ? (
            <text
              key={week}
              x={index + 1 < weeks.length ? across(index) : WIDTH}
              y={HEIGHT - 12}
              textAnchor={index + 1 < weeks.length ? undefined : 'end'}
            >
              {week}
            </text>
          ) : null,
        )}
        {children(up)}
      </svg>
    </div>
  );
}
