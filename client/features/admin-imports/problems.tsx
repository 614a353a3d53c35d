import type { ImportProblem } from '../../api/page.gen';
import { Icon } from '../../ui/icon';

/** Errors and warnings, each with its column. */
export function Problems({ problems }: { problems: ImportProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <ul className="import-problems">
      {problems.map(({ column, message, warning }) => (
        <li key={`${column} ${message}`} className={warning ? undefined : 'wrong'}>
          <Icon name={warning ? 'info' : 'error'} />
          <span>
            <span className="visually-hidden">{warning ? 'Warning: ' : 'Error: '}</span>
            {column ? <strong>{`${column}: `}</strong> : null}
            {message}
          </span>
        </li>
      ))}
    </ul>
  );
}
