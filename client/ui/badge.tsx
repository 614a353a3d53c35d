import Chip from '@mui/material/Chip';
import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';

const Root = styled(Chip)({
  flex: 'none',
  minWidth: '1.5rem',
  paddingInline: '0.5rem',
  borderRadius: 2,
  background: 'var(--palette-loud)',
  color: '#fff',
  '@media (forced-colors: active)': { border: '1px solid' },
}) as typeof Chip;

/** A word or a number that wants to be seen. Material UI's own Badge sets a style. */
export function Badge({ children }: { children: ReactNode }) {
  return <Root className="badge" component="span" size="small" label={children} />;
}
