import type { OfficeOpenDay } from '../../api/page.gen';
import { Tag } from '../../ui/tag';

const shapes = { open: 'circle', full: 'disc', over: 'check', cancelled: 'close' } as const;

/** The state of an open day. */
export function OpenDayTag({ state, stateText }: Pick<OfficeOpenDay, 'state' | 'stateText'>) {
  return <Tag shape={shapes[state]}>{stateText}</Tag>;
}
