import { useEffect, useRef, useState } from 'react';
import type { FocusEvent, MouseEvent, ReactNode } from 'react';
import { ToolDetails, ToolPanel, ToolSummary } from '../theme/parts/tool-menu';
import { Icon } from './icon';
import type { IconName } from './icon';
import { useHydrated } from './use-hydrated';

interface ToolMenuProps {
  icon?: IconName;
  label: string;
  /** Initially open, because something in it has an error. */
  isOpen?: boolean;
  /** Where the panel is, if not below and to the right; `free` of ancestors that clip or scroll. */
  place?: 'end' | 'up' | 'free';
  /** With JavaScript, its content is rendered when it is first opened. */
  isLazy?: boolean;
  children: ReactNode;
}

function close(details: HTMLDetailsElement | null) {
  if (details) details.open = false;
}

/**
 * A button in a toolbar and its panel. Uses the native disclosure, which needs no script; with JavaScript it closes
 * like a menu.
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

  // A link in the menu may lead to the same page, which keeps the menu open.
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
