import MuiCard from '@mui/material/Card';
import { useId } from 'react';
import type { ReactNode } from 'react';

interface CardProps {
  heading: ReactNode;
  /** At most one loud card per page: the one thing to do next. */
  loud?: boolean;
  children: ReactNode;
}

export function Card({ heading, loud = false, children }: CardProps) {
  const id = useId();
  return (
    <MuiCard component="section" className={loud ? 'card loud' : 'card'} aria-labelledby={id}>
      <h2 className="card-heading" id={id}>
        {heading}
      </h2>
      {children}
    </MuiCard>
  );
}
