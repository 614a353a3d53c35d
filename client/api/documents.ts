// The applicant's documents: the page's own list, and removing a file. The documents feature does the uploading.

import { resultOf, urlOf, type Result } from './http';
import type { DocumentsProps } from './page.gen';
import type { NavigationAnswer } from './routes';
import { call } from './session';
import { t } from './texts';
import { readToken } from './tokens';

const PAGE = '/dashboard/documents';

/** Where resumable uploads are created. */
export const uploadsUrl = () => urlOf('/api/users/documents/uploads');

/** Returns the list as the page shows it, or null if it cannot be loaded now. */
export async function loadDocuments(): Promise<DocumentsProps | null> {
  try {
    const response = await fetch(PAGE, { headers: { Accept: 'application/json' } });
    const answer = (await response.json()) as NavigationAnswer;
    return 'route' in answer && answer.route === 'documents' ? answer.props : null;
  } catch {
    return null;
  }
}

export function removeDocument(id: string, owner: string): Promise<Result> {
  const removed = call('DELETE', `/api/users/documents/${encodeURIComponent(id)}`, { as: owner });
  return resultOf(removed, () => ({}), t('The file was not removed. Try again.'));
}

/** Returns a currently accepted token of this applicant; null if nobody or another user is signed in. */
export async function bearerOf(owner: string): Promise<string | null> {
  const answer = await call('GET', '/api/users/me', { as: owner });
  return answer.status < 400 ? readToken('auth_token') : null;
}
