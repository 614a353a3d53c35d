import type { OfficeDocument } from '../api/page.gen';
import type { IconName } from './icon';
import { Tag } from './tag';

const shapes = {
  needed: 'circle',
  uploading: 'half',
  checking: 'half',
  received: 'disc',
  accepted: 'check',
  replace: 'warning',
  waived: 'check',
} as const satisfies Record<OfficeDocument['state'], IconName>;

export function DocumentState({ document }: { document: Pick<OfficeDocument, 'state' | 'word'> }) {
  return <Tag shape={shapes[document.state]}>{document.word}</Tag>;
}
