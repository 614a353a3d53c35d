import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { Icon } from './icon';

// Material UI's Accordion hides what is in it until a script runs; the browser's own does not.
const Root = styled('details')({
  borderBlockEnd: '1px solid var(--palette-divider)',
  '& > summary > svg': { color: 'var(--palette-accent)', transition: 'transform 120ms' },
  '&[open] > summary > svg': { transform: 'rotate(180deg)' },
});

const Summary = styled('summary')({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: '1rem',
  minHeight: '2.75rem',
  paddingBlock: '1rem',
  color: 'var(--palette-heading)',
  listStyle: 'none',
  '&::-webkit-details-marker': { display: 'none' },
  '&:hover :is(h3, strong)': { textDecoration: 'underline 1px', textUnderlineOffset: '0.18em' },
});

/** One of several things that open below their names. Its name is a heading, or has one in `strong`. */
export function Accordion({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  return (
    <Root>
      <Summary>
        {summary}
        <Icon name="chevron" />
      </Summary>
      {children}
    </Root>
  );
}
