// What remains in this browser's storage after a session, and is removed on logout.

import { t } from './texts';
import { keysWithPrefix, removeItem } from './storage';

const DRAFT = 'matricula.draft.';
/** Prefix under which tus keeps interrupted uploads for resuming. */
const UPLOADS = 'tus::';

/** Asked on logout if there are answers that are stored nowhere else. */
export const LOGOUT_QUESTION = t('Some answers are not saved yet. Log out and delete them from this device?');

/** Key prefix of the drafts of an application. */
export const draftPrefix = (applicationId: string, applicant: string) =>
  `${DRAFT}${applicationId}.${hash(applicant.toLowerCase())}.`;

/** Removes an applicant's data, asking first if answers would be lost. Returns false if they want to keep them. */
export function forgetLocalData(applicant: string): boolean {
  const whose = `.${hash(applicant.toLowerCase())}.`;
  const drafts = keysWithPrefix(DRAFT).filter((key) => key.includes(whose));
  if (drafts.length > 0 && !confirm(LOGOUT_QUESTION)) return false;
  for (const key of [...drafts, ...keysWithPrefix(UPLOADS)]) removeItem(key);
  return true;
}

/** FNV-1a, 32 bits: not secret, only a short name. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (const unit of text) {
    value ^= unit.codePointAt(0)!;
    value = Math.imul(value, 0x01000193);
  }
  return (value >>> 0).toString(36);
}
