import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/**
 * Returns false on the server and while hydrating, true afterwards: for content that makes no sense without JavaScript.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
