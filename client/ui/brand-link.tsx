import ButtonBase from '@mui/material/ButtonBase';
import { styled } from '@mui/material/styles';
import { Emblem } from './emblem';

const Brand = styled(ButtonBase)({
  gap: '0.75rem',
  minHeight: '3rem',
  marginInlineEnd: 'auto',
  color: 'var(--palette-heading)',
  font: '600 1.125rem/1.2 var(--sans)',
  letterSpacing: '-0.01em',
  '& .emblem': {
    flex: 'none',
    width: '2.75rem',
    height: '2.75rem',
    color: 'var(--palette-secondary-main)',
  },
  '@media (max-width: 40rem)': {
    flex: 1,
    justifyContent: 'flex-start',
    gap: '0.5rem',
    fontSize: '1rem',
  },
}) as typeof ButtonBase;

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
