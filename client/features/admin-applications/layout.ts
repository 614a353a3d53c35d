import { createContext } from 'react';
import type { AdminApplicationsProps } from '../../api/page.gen';

/** Limits of a column's width in CSS pixels, as the address may give it. */
export const NARROWEST = 48;
export const WIDEST = 800;
/** Assumed width of a column without one, if its head cannot be measured. */
const USUAL = 140;
const STEP = 20;

export interface Column {
  value: string;
  width: number | null;
}

/** Layout of the rows: which columns, in which order, and how wide. */
export interface Layout {
  columns: Column[];
  nameWidth: number | null;
}

/** Shows the list with other columns. */
export const LayoutContext = createContext<(layout: Layout) => Promise<void>>(async () => {});

export function layoutOf({
  columns,
  nameWidth,
}: Pick<AdminApplicationsProps, 'columns' | 'nameWidth'>): Layout {
  return { columns: columns.map(({ value, width }) => ({ value, width })), nameWidth };
}

/** A column as written in the address. */
export const columnText = ({ value, width }: Column) => (width === null ? value : `${value}:${width}`);

export function columnOf(text: string): Column {
  const [value = text, width] = text.split(':');
  return { value, width: width === undefined ? null : Number.parseInt(width, 10) };
}

/** Returns the query of a view with another layout. */
export function withLayout(view: string, { columns, nameWidth }: Layout): string {
  // The isolate that renders pages has no URLSearchParams.
  const rest = view.split('&').filter((part) => part !== '' && !/^(column|nameWidth)=/.test(part));
  const shown = columns.map((column) => `column=${encodeURIComponent(columnText(column))}`);
  const names = nameWidth === null ? [] : [`nameWidth=${nameWidth}`];
  return [...rest, ...shown, ...names].join('&');
}

/** Returns the layout with the column moved. */
export function moved(layout: Layout, from: number, to: number): Layout {
  const columns = [...layout.columns];
  const [column] = columns.splice(from, 1);
  if (column) columns.splice(to, 0, column);
  return { ...layout, columns };
}

/** Returns the layout with another width for a column or for the names. */
export function resized(layout: Layout, value: string, width: number): Layout {
  const fitting = Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)));
  if (value === 'name') return { ...layout, nameWidth: fitting };
  const columns = layout.columns.map((one) => (one.value === value ? { value, width: fitting } : one));
  return { ...layout, columns };
}

/** Returns the layout with the column one step wider, or narrower with -1. */
export function stepped(layout: Layout, value: string, direction: 1 | -1): Layout {
  const now = value === 'name' ? layout.nameWidth : layout.columns.find((one) => one.value === value)?.width;
  return resized(layout, value, (now ?? USUAL) + direction * STEP);
}

/** Sets a cell's width until the returned function is called: the server's HTML may not contain inline styles. */
export function fit(cell: HTMLElement, width: number | null): () => void {
  const text = width === null ? '' : `${width}px`;
  Object.assign(cell.style, { width: text, minWidth: text, maxWidth: text });
  return () => Object.assign(cell.style, { width: '', minWidth: '', maxWidth: '' });
}
