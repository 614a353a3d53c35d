import { ButtonLink } from './button';
import { Icon } from './icon';

/** Link to the parent page. */
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
