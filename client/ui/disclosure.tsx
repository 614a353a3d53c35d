import type { DetailsHTMLAttributes, ReactNode } from 'react';
import { DisclosureRoot, DisclosureSummary } from '../theme/parts/disclosure';
import { Icon } from './icon';

interface DisclosureProps extends Omit<DetailsHTMLAttributes<HTMLDetailsElement>, 'color'> {
  /** Styled root, if not the default. */
  root?: typeof DisclosureRoot | undefined;
  summary: ReactNode;
}

/** Hides what most users do not need behind a summary. */
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
