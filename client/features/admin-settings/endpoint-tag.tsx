import type { EndpointState } from '../../api/page.gen';
import { Tag } from '../../ui/tag';

const shapes = { delivering: 'check', failing: 'warning', paused: 'circle' } as const;

/** Whether an endpoint takes what is sent. */
export function EndpointTag({ state, stateText }: { state: EndpointState; stateText: string }) {
  return <Tag shape={shapes[state]}>{stateText}</Tag>;
}
