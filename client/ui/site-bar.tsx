import AppBar from '@mui/material/AppBar';
import ButtonBase from '@mui/material/ButtonBase';
import MuiButton from '@mui/material/Button';
import Toolbar from '@mui/material/Toolbar';
import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { BrandLink } from './brand-link';
import type { BrandLinkProps } from './brand-link';

const Skip = styled(MuiButton)({
  position: 'absolute',
  zIndex: 10,
  insetBlockStart: '-6rem',
  insetInlineStart: '1rem',
  padding: '0.75rem 1.25rem',
  '&:focus': { insetBlockStart: '0.5rem' },
}) as typeof MuiButton;

/** The way past what is the same on every page. */
export function SkipLink() {
  return (
    <Skip className="skip-link" variant="contained" href="#main">
      Skip to content
    </Skip>
  );
}

/** A way to somewhere else, in the bar; a line is under the one that is open. */
export const BarLink = styled(ButtonBase)({
  gap: '0.5rem',
  minHeight: '2.75rem',
  borderBlock: '2px solid transparent',
  color: 'var(--palette-heading)',
  font: '600 1rem/1.5 var(--menu-font)',
  '&:hover, &[aria-current]': { borderBlockEndColor: 'var(--palette-error-main)' },
  '@media (forced-colors: active)': { '&[aria-current]': { borderBlockEndColor: 'Highlight' } },
}) as typeof ButtonBase;

interface SiteBarProps extends BrandLinkProps {
  children: ReactNode;
  /** Below the bar, from edge to edge. */
  below?: ReactNode;
}

/** Whose site this is, and what else there is. */
export function SiteBar({ href, name, place, children, below }: SiteBarProps) {
  return (
    <AppBar className="site-header">
      <Toolbar className="site-bar">
        <BrandLink href={href} name={name} place={place} />
        {children}
      </Toolbar>
      {below}
    </AppBar>
  );
}
