import { LoadingLine } from '../theme/parts/loading-lines';

/** A heading and some lines, of which nothing is known yet. A chunk of its own: few people wait for so long. */
export function LoadingLines() {
  return (
    <div className="loading-lines" aria-hidden="true">
      {['heading', 'first', 'second', 'third'].map((line) => (
        <LoadingLine key={line} variant="rectangular" />
      ))}
    </div>
  );
}
