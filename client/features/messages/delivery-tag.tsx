import type { MessageDelivery } from '../../api/page.gen';
import type { IconName } from '../../ui/icon';
import { Tag } from '../../ui/tag';

const shapes = {
  leaving: 'clock',
  delayed: 'clock',
  sent: 'check',
  failed: 'warning',
  kept: 'info',
  held: 'info',
} as const satisfies Record<MessageDelivery['state'], IconName>;

/** How far the email of a message has come. */
export function DeliveryTag({ state, words }: MessageDelivery) {
  return <Tag shape={shapes[state]}>{words}</Tag>;
}
