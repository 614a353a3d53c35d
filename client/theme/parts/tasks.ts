import { styled } from '@mui/material/styles';
import { Line } from './lines';
import { LineLink } from './lines';

export const TaskLine = styled(Line)({ gap: '0 1rem', padding: 0 });

export const TaskLink = styled(LineLink)({
  paddingBlock: '0.625rem',
  color: 'var(--palette-accent)',
  fontWeight: 600,
  textDecoration: 'underline 1px',
  textUnderlineOffset: '0.25em',
  '&:hover': { textDecoration: 'underline 2px' },
}) as typeof LineLink;

/** A task without an action. */
export const TaskName = styled('span')({
  flex: 1,
  paddingBlock: '0.625rem',
  color: 'var(--palette-text-secondary)',
  font: '400 1rem/1.75 var(--sans)',
});
