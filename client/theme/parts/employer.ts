import { styled } from '@mui/material/styles';
import { DisclosureRoot } from './disclosure';

export const EmployerRoot = styled(DisclosureRoot)({
  '& > summary': {
    justifyContent: 'flex-start',
    color: 'var(--palette-text-primary)',
    overflowWrap: 'anywhere',
    '&:hover': { textDecoration: 'none' },
    '& > svg': { color: 'var(--palette-accent)' },
    '& > span': { flex: 'none', color: 'var(--palette-accent)', textDecoration: 'underline' },
  },
  '&[open] > summary': { marginBlockEnd: '1rem', '& > span': { display: 'none' } },
  '@media print': { '& > summary': { marginBlockEnd: '1rem', '& > :is(span, svg)': { display: 'none' } } },
});
