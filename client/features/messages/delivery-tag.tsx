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

/** Delivery status of a message's email. */
export function DeliveryTag({ state, words }: MessageDelivery) {
  return <Tag shape={shapes[state]}>{words}</Tag>;
}
