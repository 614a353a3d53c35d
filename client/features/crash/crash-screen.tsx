import type { FormEvent } from 'react';
import type { CrashProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { removeToken } from '../../api/tokens';
import { Button } from '../../ui/button';
import { Ornament } from '../../ui/emblem';
import { RequestId } from '../../ui/request-id';

/** Clears what may have caused the crash and reloads the page. */
function reload(event: FormEvent) {
  event.preventDefault();
  removeToken('auth_token');
  try {
    sessionStorage.clear();
  } catch {
    // Forbidden storage holds nothing to clear.
  }
  location.reload();
}

/** Replaces everything, including the layout, because any of it may have crashed. */
export function CrashScreen({ message, requestId }: Partial<CrashProps>) {
  return (
    <main className="page-message crash-screen">
      <Ornament />
      <p className="eyebrow">An error occurred while rendering the application</p>
      <h1>Something went wrong</h1>
      <p className="lead">{message || t('An unexpected error occurred')}</p>
      {/* Without JavaScript the form requests the same address again. */}
      <form method="get" onSubmit={reload}>
        <Button>Reload Application</Button>
      </form>
      {requestId ? <RequestId id={requestId} /> : null}
    </main>
  );
}
