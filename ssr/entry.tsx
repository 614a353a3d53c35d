import type { Page } from '../client/api/page';
import { App } from '../client/app';
import { load, routeNames } from '../client/routes';
import { provoke } from './faults';
import { renderToString } from './render-to-string';

declare global {
  /** What src/render calls: the JSON of a page in, the HTML of #root out. */
  var render: (json: string) => string;
}

// Every screen is in this bundle, so this is done before the first turn of the event loop ends.
void Promise.all(routeNames.map(load));

globalThis.render = (json) => {
  const page = JSON.parse(json) as Page;
  provoke(page);
  return renderToString(<App page={page} />);
};
