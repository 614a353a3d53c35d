import { Brand } from '../theme/parts/site-bar';
import { Emblem } from './emblem';

export interface BrandLinkProps {
  /** What the name leads to. */
  href: string;
  name: string;
  /** Which part of the site this is. */
  place?: string | undefined;
}

/** Whose site this is. */
export function BrandLink({ href, name, place }: BrandLinkProps) {
  return (
    <Brand href={href}>
      <Emblem />
      <span>
        {name}
        {place ? (
          <>
            {' '}
            <span className="office-name">{place}</span>
          </>
        ) : null}
      </span>
    </Brand>
  );
}
