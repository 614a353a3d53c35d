import { useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';

/** The tooltip of one bar: a heading and its numbers by name. */
export interface Point {
  label: string;
  lines: (readonly [string, string])[];
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface ChartPointsProps {
  points: Point[];
  /** The hover area of the bar with this index. */
  box: (index: number) => Box;
  /** Size of the chart, which the tooltip stays within. */
  width: number;
  height: number;
  /** Whether bars are stacked vertically, with the tooltip next to its bar. */
  rows?: boolean;
}

const TIP = 216;
const LINE = 17;

/** Returns the height of a tooltip. */
export const tipHeight = ({ lines }: Point) => LINE * (lines.length + 1) + 12;

/** Returns the index that a key moves to. */
function reached(key: string, at: number, last: number): number | undefined {
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  if (key === 'ArrowRight' || key === 'ArrowDown') return Math.min(at + 1, last);
  if (key === 'ArrowLeft' || key === 'ArrowUp') return Math.max(at - 1, 0);
  return undefined;
}

/**
 * The numbers of each bar, layered above the bars: shown on hover and on focus, which arrow keys move from bar to bar.
 * Without JavaScript hovering shows them all, and the table below lists them.
 */
export function ChartPoints({ points, box, width, height, rows = false }: ChartPointsProps) {
  const root = useRef<SVGGElement>(null);
  const [focused, setFocused] = useState(0);
  const last = points.length - 1;
  const at = Math.min(focused, last);

  function press(event: KeyboardEvent) {
    const next = reached(event.key, at, last);
    if (next === undefined) return;
    event.preventDefault();
    setFocused(next);
    (root.current?.children[next] as SVGElement | undefined)?.focus();
  }

  return (
    <g ref={root} className="figures-points">
      {points.map((point, index) => {
        const { label, lines } = point;
        const place = box(index);
        const tall = tipHeight(point);
        const left = rows ? width - TIP - 1 : place.x + place.width / 2 - TIP / 2;
        const x = Math.max(1, Math.min(left, width - TIP - 1));
        const y = Math.max(1, Math.min(rows ? place.y : 8, height - tall - 1));
        return (
          <g
            key={label}
            className="figures-point"
            role="img"
            aria-label={`${label}: ${lines.map(([name, value]) => `${name} ${value}`).join(', ')}`}
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- its numbers are read by keyboard
            tabIndex={index === at ? 0 : -1}
            onFocus={() => setFocused(index)}
            onKeyDown={press}
          >
            <rect {...place} className="figures-box" />
            <g className="figures-tip" aria-hidden="true">
              <rect x={x} y={y} width={TIP} height={tall} rx="3" />
              <text x={x + 10} y={y + LINE} className="figures-head">
                {label}
              </text>
              {lines.map(([name, value], line) => (
                <g key={name}>
                  <text x={x + 10} y={y + LINE * (line + 2)}>
                    {name}
                  </text>
                  <text x={x + TIP - 10} y={y + LINE * (line + 2)} textAnchor="end">
                    {value}
                  </text>
                </g>
              ))}
            </g>
          </g>
        );
      })}
    </g>
  );
}
