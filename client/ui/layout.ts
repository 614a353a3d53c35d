import { useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import type { Page } from '../api/page.gen';

/** An item of the dashboard's drawer. */
export type DashboardItem = 'dashboard' | 'documents' | 'schedule' | 'payments' | 'messages' | 'account';

/** What a page wants of its layout. The module of its screen exports `frame`, a function of the page, if it is anything. */
export interface Frame {
  /** The dashboard's drawer, with this item open. */
  menu?: DashboardItem;
  /** The page sets its own margins: its parts reach from edge to edge. */
  bleed?: boolean;
  /** Without the office's sidebar: before somebody is signed in, and where one thing has to be done first. */
  bare?: boolean;
}

export interface LayoutProps {
  page: Page;
  frame: Frame;
  children: ReactNode;
}

/** Layouts stay from page to page, and so would what was opened in them. */
export function useClosedMenus(path: string): void {
  const shown = useRef(path);
  useLayoutEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    for (const menu of document.querySelectorAll<HTMLDetailsElement>('.viewer-menu')) menu.open = false;
    document.getElementById('drawer')?.hidePopover?.();
  }, [path]);
}
