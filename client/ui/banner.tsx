import { useState } from 'react';
import type { FormEvent } from 'react';
import type { Shared } from '../api/page.gen';
import { BannerAlert } from '../theme/parts/banner';
import { Button } from './button';
import { Icon } from './icon';

/** Banners hidden since the document was loaded: pages created earlier still contain them. */
const putAway = new Set<number>();

/**
 * The institute's announcement to everybody, until they hide it. A form that returns to the page; with JavaScript
 * handled in place.
 */
export function Banner({ shared }: { shared: Shared }) {
  const { banner, path } = shared;
  const [isShown, setShown] = useState(true);
  if (!banner || !isShown || putAway.has(banner.version)) return null;
  const { version, text } = banner;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    putAway.add(version);
    setShown(false);
    // The server stores this in a cookie. If it cannot be reached, it lasts for this document.
    fetch('/banner', {
      method: 'POST',
      body: new URLSearchParams({ version: String(version), back: path }),
      redirect: 'manual',
    }).catch(() => undefined);
  }

  return (
    // A named region of the page, not an alert.
    <BannerAlert
      component="section"
      role={null as unknown as undefined}
      aria-label="News"
      icon={<Icon name="info" />}
      severity="info"
      action={
        <form method="post" action="/banner" onSubmit={submit}>
          <input type="hidden" name="back" value={path} />
          <input type="hidden" name="version" value={version} />
          <Button variant="quiet">
            <Icon name="close" />
            Hide this notice
          </Button>
        </form>
      }
    >
      <p>{text}</p>
    </BannerAlert>
  );
}
