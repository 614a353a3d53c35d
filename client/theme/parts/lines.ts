import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import { styled } from '@mui/material/styles';

/** Items below each other, with a rule under each; `ruled` also has one above the first, like a table. */
export const Lines = styled(List)({
  padding: 0,
  font: '400 1rem/1.5 var(--sans)',
  '&.ruled': { borderBlockStart: '2px solid var(--palette-heading)' },
}) as typeof List;

/** An item: its name at one end, its status or action at the other. */
export const Line = styled(ListItem)({
  flexWrap: 'wrap',
  justifyContent: 'space-between',
  gap: '0.25rem 1.5rem',
  maxWidth: 'none',
  padding: '0.75rem 0',
  borderBlockEnd: '1px solid var(--palette-divider)',
}) as typeof ListItem;

/** The link of a line, as wide as its other end allows. */
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
