import type { ImportListRow, ImportRowLine } from '../../api/page.gen';
import { Tag } from '../../ui/tag';

const shapes = {
  mapping: 'pen',
  checking: 'clock',
  checked: 'check',
  running: 'clock',
  done: 'disc',
  undoing: 'clock',
  undone: 'back',
} as const;

/** The state of an import. */
export function ImportTag({ state, children }: { state: ImportListRow['state']; children: string }) {
  return <Tag shape={shapes[state]}>{children}</Tag>;
}

const shapesOfRows = {
  unchecked: 'circle',
  ready: 'check',
  warned: 'info',
  wrong: 'warning',
  imported: 'disc',
  undone: 'back',
  kept: 'person',
} as const;

/** The state of a row. */
export function RowTag({ state, children }: { state: ImportRowLine['state']; children: string }) {
  return <Tag shape={shapesOfRows[state]}>{children}</Tag>;
}
