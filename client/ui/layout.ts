import { useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import type { Page } from '../api/page.gen';

/** An item of the dashboard's drawer. */
export type DashboardItem = 'dashboard' | 'documents' | 'schedule' | 'payments' | 'messages' | 'account';

/** What a page asks of its layout. The module of its screen may export `frame`, a function of the page. */
export interface Frame {
  /** Shows the dashboard's drawer with this item as current. */
  menu?: DashboardItem;
  /** The page sets its own margins, so that its parts reach from edge to edge. */
  bleed?: boolean;
  /** Without what leads elsewhere: before a login to the office, if something has to be done first, and for referees. */
  bare?: boolean;
  /** Asks before unsent input is lost, even if nobody is logged in. */
  guarded?: boolean;
}

export interface LayoutProps {
  page: Page;
  frame: Frame;
  children: ReactNode;
}

/** Closes menus on navigation, since layouts persist across pages. */
export function useClosedMenus(path: string): void {
  const shown = useRef(path);
  useLayoutEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    for (const menu of document.querySelectorAll<HTMLDetailsElement>('.viewer-menu')) menu.open = false;
    document.getElementById('drawer')?.hidePopover?.();
  }, [path]);
}
