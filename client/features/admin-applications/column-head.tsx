import { useContext, useLayoutEffect, useRef } from 'react';
import type { MouseEvent, PointerEvent } from 'react';
import { useNavigate } from 'react-router';
import type { HeadSort } from '../../api/page.gen';
import { Icon } from '../../ui/icon';
import { LayoutContext, fit, moved, resized } from './layout';
import type { Layout } from './layout';

/** Data type that identifies a dragged column. */
const DRAGGED = 'application/x-matricula-column';

interface ColumnHeadProps {
  /** `name`, or the value of the column. */
  value: string;
  label: string;
  /** Null if the list cannot be sorted by it. */
  sort: HeadSort | null;
  width: number | null;
  layout: Layout;
  /** With JavaScript. */
  isHydrated: boolean;
}

/** The head of a column: sorts by it, with Shift as the second key; moves and resizes it. */
export function ColumnHead({ value, label, sort, width, layout, isHydrated }: ColumnHeadProps) {
  const show = useContext(LayoutContext);
  const root = useRef<HTMLTableCellElement>(null);
  const navigate = useNavigate();
  const index = layout.columns.findIndex((column) => column.value === value);
  const isMovable = isHydrated && index >= 0;

  useLayoutEffect(() => (root.current ? fit(root.current, width) : undefined), [width]);

  function sortSecond(event: MouseEvent) {
    if (!event.shiftKey || !sort?.thenHref) return;
    event.preventDefault();
    void navigate(sort.thenHref, { preventScrollReset: true });
  }

  return (
    <th
      scope="col"
      ref={root}
      className={value === 'name' ? 'list-name' : undefined}
      // The server's HTML may not contain inline styles.
      {...(width === null ? {} : { width })}
      aria-sort={sort?.order && !sort.isSecond ? sort.order : undefined}
      draggable={isMovable || undefined}
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, String(index))}
      onDragOver={(event) => {
        if (isMovable && event.dataTransfer.types.includes(DRAGGED)) event.preventDefault();
      }}
      onDrop={(event) => {
        const from = Number.parseInt(event.dataTransfer.getData(DRAGGED), 10);
        if (!isMovable || !(from >= 0) || from === index) return;
        event.preventDefault();
        void show(moved(layout, from, index));
      }}
    >
      {sort ? (
        <a
          href={sort.href}
          onClick={sortSecond}
          draggable={false}
          title={sort.thenHref ? `Sort by ${label}; Shift-click to sort by it second` : undefined}
        >
          {label}
          {sort.order ? <Icon name={sort.order === 'ascending' ? 'up' : 'down'} /> : null}
          {sort.isSecond ? (
            <span className="list-second">
              2<span className="visually-hidden">nd order, {sort.order}</span>
            </span>
          ) : null}
        </a>
      ) : (
        label
      )}
      {isHydrated ? <Grip head={root} onEnd={(end) => void show(resized(layout, value, end))} /> : null}
    </th>
  );
}

interface GripProps {
  head: React.RefObject<HTMLTableCellElement | null>;
  onEnd: (width: number) => void;
}

/** Resizes the column with the pointer. The menu "Display" does so by keyboard. */
function Grip({ head, onEnd }: GripProps) {
  const begin = useRef<{ x: number; width: number }>(undefined);
  const widthAt = (x: number) => (begin.current ? Math.max(1, begin.current.width + x - begin.current.x) : 0);

  function down(event: PointerEvent<HTMLSpanElement>) {
    if (!head.current || event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    begin.current = { x: event.clientX, width: head.current.getBoundingClientRect().width };
  }

  function move({ clientX }: PointerEvent) {
    if (begin.current && head.current) fit(head.current, widthAt(clientX));
  }

  function up({ clientX }: PointerEvent) {
    if (!begin.current) return;
    const isMoved = clientX !== begin.current.x;
    const width = widthAt(clientX);
    begin.current = undefined;
    if (isMoved) onEnd(width);
  }

  return (
    <span
      className="list-grip"
      aria-hidden="true"
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      // Keeps the head from being dragged along.
      draggable
      onDragStart={(event) => {
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}
