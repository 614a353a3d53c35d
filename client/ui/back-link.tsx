import { ButtonLink } from './button';
import { Icon } from './icon';

/** The way back to the page above this one. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <p className="back-link">
      <ButtonLink variant="quiet" href={href}>
        <Icon name="back" />
        {children}
      </ButtonLink>
    </p>
  );
}
