import { useMemo } from 'react';
import type { AdminWebhooksProps, EndpointRow } from '../../api/page.gen';
import { OfficeItem } from '../../theme/parts/office-list';
import { BackLink } from '../../ui/back-link';
import { Button } from '../../ui/button';
import { summaryErrors } from '../../ui/error-summary';
import { FormOutcome } from '../../ui/form-outcome';
import { OfficeList } from '../../ui/office-list';
import { SecretNotice } from '../../ui/office-secret';
import { EndpointTag } from './endpoint-tag';
import { WebhookFields } from './webhook-fields';

/** The endpoints that events are delivered to. */
export function WebhooksPage({ endpoints, made, kinds, form }: AdminWebhooksProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="narrow stack office-sections">
      <BackLink href="/admin-panel/settings">All settings</BackLink>
      <h1>Webhooks</h1>
      <p>
        Programs of the institute are told what happens to applications: each event is sent to the addresses
        below, signed, and sent again until it is taken. Events name nobody; a program loads what it may see
        from <a href="/api/docs">the API</a>.
      </p>
      <FormOutcome errors={errors} message={form.message} />
      {made ? (
        <SecretNotice secret={made.secret} copyLabel="Copy secret">
          The endpoint <strong>{made.name}</strong> is added. With this secret it checks that events come from
          here. Copy it now: it is shown only once.
        </SecretNotice>
      ) : null}
      {endpoints.length > 0 ? (
        <OfficeList label="Endpoints">
          {endpoints.map((endpoint) => (
            <Endpoint key={endpoint.href} {...endpoint} />
          ))}
        </OfficeList>
      ) : (
        <p>There is no endpoint yet. Nothing is sent anywhere.</p>
      )}
      <section className="stack-small" aria-labelledby="new-heading">
        <h2 id="new-heading">Add an endpoint</h2>
        <form method="post" action="/admin-panel/settings/webhooks" noValidate>
          <WebhookFields form={form} kinds={kinds} />
          <div className="form-actions">
            <Button>Add endpoint</Button>
          </div>
        </form>
      </section>
    </div>
  );
}

function Endpoint({ href, name, url, state, stateText, eventsText, waiting, failed }: EndpointRow) {
  return (
    <OfficeItem>
      <div>
        <strong>
          <a href={href}>{name}</a>
        </strong>{' '}
        <EndpointTag state={state} stateText={stateText} />
        <p className="small">
          {url}
          <br />
          {eventsText} · {waiting} waiting{failed > 0 ? ` · ${failed} given up` : null}
        </p>
      </div>
    </OfficeItem>
  );
}
