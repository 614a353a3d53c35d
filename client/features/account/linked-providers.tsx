import { useMemo } from 'react';
import type { FormState, LinkedProviderRow } from '../../api/page.gen';
import { Lines } from '../../theme/parts/lines';
import { SessionLine } from '../../theme/parts/session-line';
import { Button } from '../../ui/button';
import { summaryErrors } from '../../ui/error-summary';
import { FormOutcome } from '../../ui/form-outcome';

interface LinkedProvidersProps {
  providers: LinkedProviderRow[];
  came: FormState;
}

/** The section with the identity providers that log in to the account, if there are any. */
export function LinkedProviders({ providers, came }: LinkedProvidersProps) {
  const errors = useMemo(() => summaryErrors(came), [came]);
  const outcome = (
    <FormOutcome errors={errors} errorTitle="It has not been unlinked" message={came.message} />
  );
  // Perhaps the last one was unlinked.
  if (providers.length === 0) return outcome;
  return (
    <section aria-labelledby="providers-heading">
      <h2 id="providers-heading">Linked accounts</h2>
      <p>You can log in with them instead of your password.</p>
      {outcome}
      <Lines className="linked-providers" aria-label="Linked accounts">
        {providers.map(({ id, name, sinceText }) => (
          <SessionLine key={id}>
            <div>
              <strong>Log in with {name}</strong>
              <p className="small">Linked {sinceText}</p>
            </div>
            <form method="post" action="/dashboard/account">
              <input type="hidden" name="provider" value={id} />
              <Button variant="quiet" name="_action" value="unlink">
                Unlink<span className="visually-hidden"> {name}</span>
              </Button>
            </form>
          </SessionLine>
        ))}
      </Lines>
    </section>
  );
}
