import { LoadingCover } from '../theme/parts/loading';
import { part } from './part';

const LoadingLines = part<object>(async () => (await import('./loading-lines')).LoadingLines);

/** Covers everything while the first screen is loading. */
export function LoadingScreen() {
  return (
    <LoadingCover className="loading-screen" role="status">
      <p>
        Loading
        <span className="loading-dots" aria-hidden="true">
          <span>.</span>
          <span>.</span>
          <span>.</span>
        </span>
      </p>
      <LoadingLines />
    </LoadingCover>
  );
}
