import { Icon } from './icon';

/** The way back to the page above this one. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <p>
      <a className="back-link" href={href}>
        <Icon name="back" />
        {children}
      </a>
    </p>
  );
}
