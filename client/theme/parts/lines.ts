import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import { styled } from '@mui/material/styles';

/** Things under each other with a rule below each; `ruled` has one above the first too, as a table has. */
export const Lines = styled(List)({
  padding: 0,
  font: '400 1rem/1.5 var(--sans)',
  '&.ruled': { borderBlockStart: '2px solid var(--palette-heading)' },
}) as typeof List;

/** One of them: what it is at the one end, how far it is or what to do with it at the other. */
export const Line = styled(ListItem)({
  flexWrap: 'wrap',
  justifyContent: 'space-between',
  gap: '0.25rem 1.5rem',
  maxWidth: 'none',
  padding: '0.75rem 0',
  borderBlockEnd: '1px solid var(--palette-divider)',
}) as typeof ListItem;

/** Where a line leads to: as wide as its end leaves it. */
export const LineLink = styled(ListItemButton)({
  flex: '1 1 0',
  minWidth: 'min-content',
  minHeight: '2.75rem',
  padding: '0.5rem 0',
  color: 'inherit',
  font: '400 1rem/1.75 var(--sans)',
  transition: 'none',
  '&:hover': { background: 'none', color: 'var(--palette-accent)', textDecoration: 'underline' },
  '&.Mui-focusVisible': { background: 'none' },
  '&[aria-current]': { color: 'var(--palette-heading)', fontWeight: 600 },
}) as typeof ListItemButton;
