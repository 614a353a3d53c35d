import { useId } from 'react';
import type { ReactNode } from 'react';

interface CardProps {
  heading?: ReactNode;
  headingLevel?: 2 | 3 | 4;
  /** At most one loud card on a page: the one thing to do next. */
  tone?: 'plain' | 'loud';
  children?: ReactNode;
  footer?: ReactNode;
}

export function Card({ heading, headingLevel = 2, tone = 'plain', children, footer }: CardProps) {
  const id = useId();
  const Heading = `h${headingLevel}` as const;
  return (
    <section className={`card card-${tone}`} aria-labelledby={heading ? id : undefined}>
      {heading ? (
        <Heading className="card-heading" id={id}>
          {heading}
        </Heading>
      ) : null}
      {children}
      {footer ? <div className="card-footer">{footer}</div> : null}
    </section>
  );
}
