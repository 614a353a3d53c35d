import { Brand } from '../theme/parts/site-bar';
import { Emblem } from './emblem';

export interface BrandLinkProps {
  /** Target of the name. */
  href: string;
  name: string;
  /** The part of the site, if any. */
  place?: string | undefined;
}

/** Name of the institute, linked. */
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
