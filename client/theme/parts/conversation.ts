import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import { styled } from '@mui/material/styles';

export const ConversationList = styled(List)({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: '0.75rem',
});

/** The viewer's own messages are on the right. */
export const ConversationItem = styled(ListItem)({
  display: 'block',
  justifySelf: 'start',
  width: 'auto',
  maxWidth: 'min(40rem, 90%)',
  padding: '0.75rem 1rem',
  border: '1px solid var(--palette-divider)',
  borderRadius: '0.75rem 0.75rem 0.75rem 0.125rem',
  background: 'var(--palette-background-paper)',
  '&.own': {
    justifySelf: 'end',
    borderRadius: '0.75rem 0.75rem 0.125rem',
    background: 'color-mix(in srgb, var(--palette-divider) 28%, var(--palette-background-paper))',
  },
  '& p': { maxWidth: 'none', margin: 0 },
  '& .byline': {
    display: 'flex',
    flexWrap: 'wrap',
    gap: '0 0.625rem',
    alignItems: 'baseline',
    color: 'var(--palette-text-secondary)',
    font: '400 0.875rem/1.5 var(--sans)',
  },
  '& .byline strong': { color: 'var(--palette-heading)' },
  '& .said': { marginBlockStart: '0.25rem', whiteSpace: 'pre-line', overflowWrap: 'anywhere' },
}) as typeof ListItem;
