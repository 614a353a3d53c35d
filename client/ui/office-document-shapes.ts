import type { OfficeDocument } from '../api/page.gen';
import type { IconName } from './icon';

/** The icon of how far a document is. */
export const documentShapes = {
  needed: 'circle',
  uploading: 'half',
  checking: 'half',
  received: 'disc',
  accepted: 'check',
  replace: 'warning',
  waived: 'check',
} as const satisfies Record<OfficeDocument['state'], IconName>;
