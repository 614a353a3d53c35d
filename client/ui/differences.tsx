import type { Difference } from '../api/page.gen';

interface DifferencesProps {
  /** Accessible name of the list. */
  label: string;
  first: string;
  second: string;
  differences: Difference[];
}

/** The differences between two versions, side by side. */
export function Differences({ label, first, second, differences }: DifferencesProps) {
  return (
    <ul className="difference-list" aria-label={label}>
      {differences.map((each) => (
        <li key={`${each.title} ${each.field} ${each.first} ${each.second}`}>
          <p>
            <strong>{each.title}</strong>
            {each.field ? ` · ${each.field}` : null}
          </p>
          <dl>
            <div>
              <dt>{first}</dt>
              <dd>{each.first || '–'}</dd>
            </div>
            <div>
              <dt>{second}</dt>
              <dd>{each.second || '–'}</dd>
            </div>
          </dl>
        </li>
      ))}
    </ul>
  );
}
