import type { ReactNode } from 'react';
import { Icon } from './icon';

/** A question about an input that may well be right; below it, and announced when it appears. */
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
