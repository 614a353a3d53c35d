import type { ReactNode } from 'react';
import { Icon } from './icon';

/** What is asked about an input that may well be right; below it, and read aloud when it comes. */
export function Doubt({ children }: { children: ReactNode }) {
  return (
    <div className="doubt" role="status">
      {children ? (
        <>
          <Icon name="info" />
          <span>{children}</span>
        </>
      ) : null}
    </div>
  );
}
