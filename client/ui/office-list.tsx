import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';

const Root = styled(List)({
  padding: 0,
  maxWidth: '48rem',
  '&.wide': { maxWidth: '60rem' },
  '& > li:last-child': { borderBlockEnd: 0 },
}) as typeof List;

/** A line of the list: what it is at the one end, what to do with it at the other. */
export const OfficeItem = styled(ListItem)({
  flexWrap: 'wrap',
  justifyContent: 'space-between',
  gap: '0.25rem 1.5rem',
  maxWidth: 'none',
  padding: '0.75rem 0',
  borderBlockEnd: '1px solid var(--palette-divider)',
  overflowWrap: 'anywhere',
}) as typeof ListItem;

interface OfficeListProps {
  /** Names the list. */
  label?: string;
  wide?: boolean;
  children: ReactNode;
}

/** Things of the office, each a line. */
export function OfficeList({ label, wide = false, children }: OfficeListProps) {
  return (
    <Root className={wide ? 'wide' : ''} aria-label={label}>
      {children}
    </Root>
  );
}
