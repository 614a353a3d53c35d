import { createElement } from 'react';
import type { Page } from './api/page';
import { screenOf } from './routes';
import { LoadingScreen } from './ui/loading-screen';

interface AppProps {
  page: Page;
  /** Whether another page has been on its way for long. */
  isWaiting?: boolean;
}

/**
 * A page on its screen. Another path starts the screen afresh; another query of the same path keeps its state, and so
 * do the sections of an application, whose answers may not be saved yet.
 * Server and browser render exactly this, so that their ids agree.
 */
export function App({ page, isWaiting = false }: AppProps) {
  const key = page.route === 'application' ? page.route : page.shared.path.split('?', 1)[0];
  return (
    <>
      {createElement(screenOf(page.route), { key, page })}
      {isWaiting ? <LoadingScreen /> : null}
    </>
  );
}
