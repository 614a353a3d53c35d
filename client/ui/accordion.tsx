import type { ReactNode } from 'react';
import { AccordionRoot, AccordionSummary } from '../theme/parts/accordion';
import { Icon } from './icon';

/** One of several collapsible entries. Its name is a heading, or has one in `strong`. */
export function Accordion({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  return (
    <AccordionRoot>
      <AccordionSummary>
        {summary}
        <Icon name="chevron" />
      </AccordionSummary>
      {children}
    </AccordionRoot>
  );
}
