import AppBar from '@mui/material/AppBar';
import Toolbar from '@mui/material/Toolbar';
import type { ReactNode } from 'react';
import { Skip } from '../theme/parts/site-bar';
import { BrandLink } from './brand-link';
import type { BrandLinkProps } from './brand-link';

/** Link past the parts that are the same on every page. */
export function SkipLink() {
  return (
    <Skip className="skip-link" variant="contained" href="#main">
      Skip to content
    </Skip>
  );
}

interface SiteBarProps extends BrandLinkProps {
  children: ReactNode;
  /** Content below the bar, from edge to edge. */
  below?: ReactNode;
}

/** The bar at the top: the institute's name and the navigation. */
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
