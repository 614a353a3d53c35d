/** Patterns of bar segments, so that nobody has to distinguish colours. */
const LINES: readonly (string | null)[] = [
  // Empty.
  '',
  // Dots.
  'M2 4h2M6 8h2',
  // Rising diagonals.
  'M-2 2l4-4M0 8L8 0M6 10l4-4',
  // Solid.
  null,
  // Horizontal lines.
  'M0 2h8M0 6h8',
  // A diagonal grid.
  'M0 8L8 0M0 0l8 8',
  // Vertical lines.
  'M2 0v8M6 0v8',
];

/** Returns the fill of the segment at this position. */
export function swatch(index: number): string {
  return LINES[index] === null ? 'currentColor' : `url(#figures-${index})`;
}

/** Defines the patterns, once per page. */
export function Patterns() {
  return (
    <svg width="0" height="0" aria-hidden="true" className="figures-patterns">
      <defs>
        {LINES.map((line, index) =>
          line === null ? null : (
            <pattern
              // The position is the identity.
              key={line}
              id={`figures-${index}`}
              width="8"
              height="8"
              patternUnits="userSpaceOnUse"
            >
              <rect width="8" height="8" className="figures-ground" />
              <path d={line} className="figures-line" />
            </pattern>
          ),
        )}
      </defs>
    </svg>
  );
}

/** The meaning of the patterns; the numbers are in the tables. */
export function Legend({ labels }: { labels: string[] }) {
  return (
    <ul className="figures-legend">
      {labels.map((label, index) => (
        <li key={label}>
          <svg width="24" height="16" aria-hidden="true">
            <rect x="1" y="1" width="22" height="14" className="figures-part" fill={swatch(index)} />
          </svg>
          {label}
        </li>
      ))}
    </ul>
  );
}
