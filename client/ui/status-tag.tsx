import type { ReactNode } from 'react';
import type { ApplicationStatus } from '../api/page';
import { Icon } from './icon';
import type { IconName } from './icon';

/** A state as word and shape, never by colour alone. Circle, half and disc read as none, some and all. */
export function Tag({ shape, children }: { shape: IconName; children: ReactNode }) {
  return (
    <span className="tag">
      <Icon name={shape} />
      {children}
    </span>
  );
}

const tags: Record<ApplicationStatus, { shape: IconName; word: string }> = {
  none: { shape: 'circle', word: 'Not started' },
  incomplete: { shape: 'half', word: 'In progress' },
  scheduled: { shape: 'clock', word: 'Interview booked' },
  accepted: { shape: 'check', word: 'Accepted' },
  rejected: { shape: 'close', word: 'Not accepted' },
  enrolled: { shape: 'star', word: 'Enrolled' },
  deferred: { shape: 'clock', word: 'Deferred' },
};

export function StatusTag({ status }: { status: ApplicationStatus }) {
  const { shape, word } = tags[status];
  return <Tag shape={shape}>{word}</Tag>;
}
