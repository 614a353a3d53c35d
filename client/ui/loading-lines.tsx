import { LoadingLine } from '../theme/parts/loading-lines';

/** Placeholder for a heading and some lines. In its own chunk: few users wait that long. */
export function LoadingLines() {
  return (
    <div className="loading-lines" aria-hidden="true">
      {['heading', 'first', 'second', 'third'].map((line) => (
        <LoadingLine key={line} variant="rectangular" />
      ))}
    </div>
  );
}
