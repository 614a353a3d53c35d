import { styled } from '@mui/material/styles';
import type { DetailsHTMLAttributes, ReactNode } from 'react';
import { Icon } from './icon';

// Material UI's Accordion hides what is in it until a script runs; the browser's own does not.
const Root = styled('details')({
  '& > summary > svg': { transition: 'transform 120ms' },
  '&[open] > summary > svg': { transform: 'rotate(180deg)' },
});

const Summary = styled('summary')({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: '0.75rem',
  width: 'fit-content',
  minHeight: '2.75rem',
  paddingBlock: '0.5rem',
  color: 'var(--palette-accent)',
  font: '600 1rem/1.5 var(--sans)',
  listStyle: 'none',
  '&::-webkit-details-marker': { display: 'none' },
  '&:hover': { textDecoration: 'underline', textUnderlineOffset: '0.18em' },
});

interface DisclosureProps extends Omit<DetailsHTMLAttributes<HTMLDetailsElement>, 'color'> {
  summary: ReactNode;
}

/** What most people do not need is behind its name. */
export function Disclosure({ summary, children, ...rest }: DisclosureProps) {
  return (
    <Root {...rest}>
      <Summary>
        {summary}
        <Icon name="chevron" />
      </Summary>
      {children}
    </Root>
  );
}
