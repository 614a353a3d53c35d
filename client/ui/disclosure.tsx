import type { DetailsHTMLAttributes, ReactNode } from 'react';
import { DisclosureRoot, DisclosureSummary } from '../theme/parts/disclosure';
import { Icon } from './icon';

interface DisclosureProps extends Omit<DetailsHTMLAttributes<HTMLDetailsElement>, 'color'> {
  /** Its look, where that is another one. */
  root?: typeof DisclosureRoot | undefined;
  summary: ReactNode;
}

/** What most people do not need is behind its name. */
export function Disclosure({ root: Root = DisclosureRoot, summary, children, ...rest }: DisclosureProps) {
  return (
    <Root {...rest}>
      <DisclosureSummary>
        {summary}
        <Icon name="chevron" />
      </DisclosureSummary>
      {children}
    </Root>
  );
}
