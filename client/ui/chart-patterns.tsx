/** Parts of bars differ in their pattern, so that nobody has to tell colours apart. */
const LINES: readonly (string | null)[] = [
  // Empty.
  '',
  // Dots.
  'M2 4h2M6 8h2',
  // Rising lines.
  'M-2 2l4-4M0 8L8 0M6 10l4-4',
  // Full.
  null,
  // Level lines.
  'M0 2h8M0 6h8',
  // A grid of slants.
  'M0 8L8 0M0 0l8 8',
  // Upright lines.
  'M2 0v8M6 0v8',
];

/** What a part is filled with, by its place. */
export function swatch(index: number): string {
  return LINES[index] === null ? 'currentColor' : `url(#figures-${index})`;
}

/** Defines the patterns, once for a page. */
export function Patterns() {
  return (
    <svg width="0" height="0" aria-hidden="true" className="figures-patterns">
      <defs>
        {LINES.map((line, index) =>
          line === null ? null : (
            <pattern
              // The places are the identity.
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

/** What the patterns mean; the numbers are in the tables. */
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
