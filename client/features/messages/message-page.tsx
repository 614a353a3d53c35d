import type { MessageProps } from '../../api/page.gen';
import { BackLink } from '../../ui/back-link';
import { LinkedText } from '../../ui/linked-text';
import { DeliveryTag } from './delivery-tag';

/** One email, as it was written. */
export function MessagePage({ subject, sentText, delivery, text }: MessageProps) {
  return (
    <article className="narrow message">
      <BackLink href="/dashboard/messages">All messages</BackLink>
      <h1>{subject}</h1>
      <p className="small">{sentText}</p>
      <DeliveryTag {...delivery} />
      <div className="letter-text">
        <LinkedText text={text} />
      </div>
    </article>
  );
}
