import { useRouteError } from 'react-router';
import { CrashScreen } from './crash-screen';

/** Replaces a route that threw while rendering. React logs the error. */
export function RouteCrash() {
  const thrown = useRouteError();
  return <CrashScreen message={thrown instanceof Error ? thrown.message : undefined} />;
}
