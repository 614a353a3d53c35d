import ButtonBase from '@mui/material/ButtonBase';
import ListItem from '@mui/material/ListItem';
import { styled } from '@mui/material/styles';

/** The whole row is the link. */
export const MessageRow = styled(ListItem)({
  display: 'block',
  paddingBlock: '0.875rem',
  // Delivery status of the email.
  '& > .MuiChip-root': {
    color: 'var(--palette-text-secondary)',
    fontWeight: 400,
    overflowWrap: 'anywhere',
  },
  // Above the link that covers the row.
  '& > .messages-earlier': { position: 'relative', zIndex: 1, width: 'fit-content', fontSize: '0.9375rem' },
  '&:hover': { background: 'color-mix(in srgb, var(--palette-divider) 15%, transparent)' },
}) as typeof ListItem;

export const MessageSubject = styled(ButtonBase)({
  position: 'static',
  display: 'flex',
  justifyContent: 'flex-start',
  gap: '0.625rem',
  width: '100%',
  color: 'var(--palette-heading)',
  font: '400 1.125rem/1.5556 var(--sans)',
  textAlign: 'start',
  overflowWrap: 'anywhere',
  userSelect: 'text',
  '.unread > &': { fontWeight: 600 },
  '&::after': { position: 'absolute', inset: 0, content: '""' },
  '&:focus-visible': { outline: 'none' },
  '&:focus-visible::after': { outline: '3px solid var(--palette-focus)', outlineOffset: 2 },
}) as typeof ButtonBase;
