import './shims';
import { renderToString } from 'react-dom/server';
import type { Page } from '../client/api/page.gen';
import { routeNames } from '../client/all-screens';
import { loadAll } from '../client/screens';
import { ThemeRoot } from '../client/theme/theme-root';
import { provoke } from './faults';
import { StaticPage } from './static-page';
import { begin } from './styled-engine';
import { withStyles } from './styles';

declare global {
  /** Called by src/render: takes a page's JSON, returns the HTML of #root, preceded by styles that only it needs. */
  var render: (json: string) => string;
}

// Every screen is in this bundle, so this completes within the first turn of the event loop.
void Promise.all(routeNames.map(loadAll));

globalThis.render = (json) => {
  const page = JSON.parse(json) as Page;
  begin();
  provoke(page);
  const html = renderToString(
    <ThemeRoot>
      <StaticPage page={page} />
    </ThemeRoot>,
  );
  return withStyles(html);
};
