import { renderToString } from 'react-dom/server';
import { App } from '../client/app';
import { load, routeNames } from '../client/routes';

// The same screens as in ssr/entry.tsx, rendered by React itself.
void Promise.all(routeNames.map(load));

globalThis.render = (json) => renderToString(<App page={JSON.parse(json)} />);
