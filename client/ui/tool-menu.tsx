import { useEffect, useRef, useState } from 'react';
import type { FocusEvent, MouseEvent, ReactNode } from 'react';
import { ToolDetails, ToolPanel, ToolSummary } from '../theme/parts/tool-menu';
import { Icon } from './icon';
import type { IconName } from './icon';
import { useHydrated } from './use-hydrated';

interface ToolMenuProps {
  icon?: IconName;
  label: string;
  /** Something in it is wrong. */
  isOpen?: boolean;
  /** Where its panel is, if not below it and to the right; `free` of what cuts off or scrolls what is around it. */
  place?: 'end' | 'up' | 'free';
  /** With JavaScript, what is in it is made when it is opened for the first time. */
  isLazy?: boolean;
  children: ReactNode;
}

function close(details: HTMLDetailsElement | null) {
  if (details) details.open = false;
}

/**
 * A button of a line of tools, and what it opens. It is the browser's own disclosure, which needs no script; with one it
 * closes as a menu does.
 */
export function ToolMenu({ icon, label, isOpen = false, place, isLazy = false, children }: ToolMenuProps) {
  const root = useRef<HTMLDetailsElement>(null);
  const isHydrated = useHydrated();
  const [wasOpened, setOpened] = useState(isOpen);
  const isEmpty = isLazy && isHydrated && !wasOpened && !isOpen;
  useEffect(() => {
    const pointed = ({ target }: PointerEvent) => {
      if (!root.current?.contains(target as Node)) close(root.current);
    };
    const pressed = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape' || !root.current?.open) return;
      close(root.current);
      root.current.querySelector('summary')?.focus();
    };
    document.addEventListener('pointerdown', pointed);
    document.addEventListener('keydown', pressed);
    return () => {
      document.removeEventListener('pointerdown', pointed);
      document.removeEventListener('keydown', pressed);
    };
  }, []);

  function leave({ relatedTarget }: FocusEvent) {
    if (relatedTarget && !root.current?.contains(relatedTarget)) close(root.current);
  }

  // A link in it may lead to the same page, which keeps what was opened.
  function click({ target }: MouseEvent) {
    if ((target as Element).closest('a')) close(root.current);
  }

  return (
    <ToolDetails ref={root} open={isOpen || undefined} onBlur={leave} onToggle={() => setOpened(true)}>
      <ToolSummary title={label}>
        {icon ? <Icon name={icon} /> : null}
        <span>{label}</span>
      </ToolSummary>
      <ToolPanel className={place} onClick={click}>
        {isEmpty ? null : children}
      </ToolPanel>
    </ToolDetails>
  );
}
