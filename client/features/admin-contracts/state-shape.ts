import type { IconName } from '../../ui/icon';

const shapes: Record<string, IconName> = {
  draft: 'circle',
  sent: 'clock',
  viewed: 'half',
  signed: 'half',
  countersigned: 'check',
};

/** Returns the icon for a contract's state. */
export function stateShape(state: string): IconName {
  return shapes[state] ?? 'warning';
}
