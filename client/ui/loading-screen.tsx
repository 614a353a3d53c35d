import { LoadingCover } from '../theme/parts/loading';

/** Covers everything while the first screen is on its way. */
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
    </LoadingCover>
  );
}
