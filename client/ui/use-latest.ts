import { useCallback, useLayoutEffect, useRef } from 'react';

/** Stays the same function, so that what is memoised is not rendered for it, and does what `act` does now. */
export function useLatest<Arguments extends unknown[]>(act: (...given: Arguments) => void) {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...given: Arguments) => latest.current(...given), []);
}
