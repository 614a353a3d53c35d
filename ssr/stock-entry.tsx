import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { renderToString } from 'react-dom/server';
import './shims';
import { routeNames } from '../client/all-screens';
import { loadAll } from '../client/screens';
import { ThemeRoot } from '../client/theme/theme-root';
import { StaticPage } from './static-page';

// The same screens rendered as Material UI's documentation describes: emotion itself, with a cache for each page from
// which its styles are taken. Our engine is compared with this and measured against it.
void Promise.all(routeNames.map(loadAll));

globalThis.render = (json) => {
  const cache = createCache({ key: 'css' });
  cache.compat = true;
  const html = renderToString(
    <CacheProvider value={cache}>
      <ThemeRoot>
        <StaticPage page={JSON.parse(json)} />
      </ThemeRoot>
    </CacheProvider>,
  );
  const styles = Object.entries(cache.inserted).filter(([, css]) => typeof css === 'string');
  const names = styles.map(([name]) => name).join(' ');
  return `\u0000${names}\u0000${styles.map(([, css]) => css).join('')}\u0000${html}`;
};
