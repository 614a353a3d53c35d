import type { ReactNode } from 'react';
import { ConversationItem, ConversationList } from '../theme/parts/conversation';
import { LinkedText } from './linked-text';

export interface ConversationLine {
  id: string;
  /** Whether the side of whoever looks wrote it. */
  own: boolean;
  name: string;
  when: string;
  text: string;
  /** What else is told of it. */
  note?: ReactNode;
}

/** What two sides wrote to each other, newest first. */
export function ConversationLines({ label, lines }: { label: string; lines: ConversationLine[] }) {
  return (
    <ConversationList disablePadding aria-label={label}>
      {lines.map(({ id, own, name, when, text, note }) => (
        <ConversationItem key={id} className={own ? 'own' : ''}>
          <p className="byline">
            <strong>{name}</strong>
            <span>{when}</span>
            {note}
          </p>
          <p className="said">
            <LinkedText text={text} />
          </p>
        </ConversationItem>
      ))}
    </ConversationList>
  );
}
