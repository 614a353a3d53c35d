import type { OfficeDocument, OfficeReferences } from '../api/page.gen';
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

/** How many references have come, and whether that is enough. */
export function ReferencesState({ text, isMissing }: Pick<OfficeReferences, 'text' | 'isMissing'>) {
  return <Tag shape={isMissing ? 'warning' : 'check'}>{text}</Tag>;
}
