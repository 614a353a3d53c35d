import { useState } from 'react';
import type { FormEvent } from 'react';
import type { Shared } from '../api/page';
import { Icon } from './icon';

/** What was put away since the document was loaded: pages that were made before still tell it. */
const putAway = new Set<number>();

/** What the institute tells everybody, until they put it away. A form that comes back; with JavaScript in place. */
export function Banner({ shared }: { shared: Shared }) {
  const { banner, path } = shared;
  const [isShown, setShown] = useState(true);
  if (!banner || !isShown || putAway.has(banner.version)) return null;
  const { version, text } = banner;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    putAway.add(version);
    setShown(false);
    // The server keeps it in a cookie. If it cannot be reached, it holds for this document.
    fetch('/banner', {
      method: 'POST',
      body: new URLSearchParams({ version: String(version), back: path }),
      redirect: 'manual',
    }).catch(() => undefined);
  }

  return (
    <section className="banner" aria-label="News">
      <div className="banner-inner">
        <p>{text}</p>
        <form method="post" action="/banner" onSubmit={submit}>
          <input type="hidden" name="back" value={path} />
          <input type="hidden" name="version" value={version} />
          <button type="submit" className="banner-close">
            <Icon name="close" />
            Put this away
          </button>
        </form>
      </div>
    </section>
  );
}
