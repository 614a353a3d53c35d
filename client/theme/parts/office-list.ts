import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import { styled } from '@mui/material/styles';

export const OfficeLines = styled(List)({
  padding: 0,
  maxWidth: '48rem',
  '&.wide': { maxWidth: '60rem' },
  '& > li:last-child': { borderBlockEnd: 0 },
}) as typeof List;

/** A list item: its name at one end, its action at the other. */
export const OfficeItem = styled(ListItem)({
  flexWrap: 'wrap',
  justifyContent: 'space-between',
  gap: '0.25rem 1.5rem',
  maxWidth: 'none',
  padding: '0.75rem 0',
  borderBlockEnd: '1px solid var(--palette-divider)',
  overflowWrap: 'anywhere',
}) as typeof ListItem;
