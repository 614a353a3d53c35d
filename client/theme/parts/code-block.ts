import { styled } from '@mui/material/styles';

/** Text for programs, wrapped rather than scrolled. */
export const CodeBlock = styled('pre')({
  margin: 0,
  padding: '0.75rem 1rem',
  maxWidth: '60rem',
  border: '1px solid var(--palette-divider)',
  borderRadius: '0.5rem',
  fontSize: '0.8125rem',
  lineHeight: 1.5,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
});
