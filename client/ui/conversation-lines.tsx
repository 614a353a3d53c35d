import type { ReactNode } from 'react';
import { ConversationItem, ConversationList } from '../theme/parts/conversation';
import { LinkedText } from './linked-text';

export interface ConversationLine {
  id: string;
  /** Whether it was written by the viewer's side. */
  own: boolean;
  name: string;
  when: string;
  text: string;
  /** Additional information. */
  note?: ReactNode;
}

/** A conversation between two sides, newest first. */
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
