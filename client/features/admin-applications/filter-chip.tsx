import Chip from '@mui/material/Chip';
import { Icon } from '../../ui/icon';

/** A filter that is on. The link takes it away. */
export function FilterChip({ href, children }: { href: string; children: string }) {
  return (
    <Chip
      component="a"
      variant="outlined"
      clickable
      href={href}
      label={
        <>
          <span className="visually-hidden">Take away: </span>
          {children} <Icon name="close" />
        </>
      }
    />
  );
}
