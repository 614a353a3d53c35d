import { createElement } from 'react';
import type { Page } from './api/page';
import { PageContext } from './navigation';
import { screenOf } from './routes';

/** A page on its screen. Another path starts the screen afresh; another query of the same path keeps its state. */
export function App({ page }: { page: Page }) {
  const key = page.shared.path.split('?', 1)[0];
  return <PageContext value={page}>{createElement(screenOf(page.route), { key, page })}</PageContext>;
}
