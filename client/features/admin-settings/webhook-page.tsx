import { useMemo } from 'react';
import type { AdminWebhookProps, WebhookDeliveryRow } from '../../api/page.gen';
import { CodeBlock } from '../../theme/parts/code-block';
import { OfficeItem } from '../../theme/parts/office-list';
import { BackLink } from '../../ui/back-link';
import { Button } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { summaryErrors } from '../../ui/error-summary';
import { FormOutcome } from '../../ui/form-outcome';
import { LinkTabs } from '../../ui/link-tabs';
import { Notice } from '../../ui/notice';
import { OfficeList } from '../../ui/office-list';
import { SecretNotice } from '../../ui/office-secret';
import { Tag } from '../../ui/tag';
import { EndpointTag } from './endpoint-tag';
import { WebhookFields } from './webhook-fields';

/** An endpoint, what was delivered to it, and what waits for it. */
export function WebhookPage(props: AdminWebhookProps) {
  const { endpoint, trouble, formerSecretText, secret, form } = props;
  const { href, name, url, state, stateText, eventsText, waiting, failed } = endpoint;
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="stack office-sections">
      <BackLink href="/admin-panel/settings/webhooks">All webhooks</BackLink>
      <div className="stack-small">
        <h1>{name}</h1>
        <p>
          <EndpointTag state={state} stateText={stateText} /> {eventsText} to {url}
        </p>
      </div>
      <FormOutcome errors={errors} message={form.message} />
      {trouble ? <Notice tone={state === 'paused' ? 'info' : 'warning'}>{trouble}</Notice> : null}
      {secret ? (
        <SecretNotice secret={secret} copyLabel="Copy secret">
          This is the new secret. Copy it now: it is shown only once. For a day, events are signed with the
          former one as well.
        </SecretNotice>
      ) : null}
      <form method="post" action={href} className="row">
        <Button name="_action" value="test" variant="secondary">
          Send a test event
        </Button>
        {state === 'paused' ? (
          <Button name="_action" value="resume">
            Resume
          </Button>
        ) : (
          <Button name="_action" value="pause" variant="secondary">
            Pause
          </Button>
        )}
        {failed > 0 ? (
          <Button name="_action" value="resend-failed" variant="secondary">
            Send again what was given up ({failed})
          </Button>
        ) : null}
      </form>
      <section className="stack-small" aria-labelledby="deliveries-heading">
        <h2 id="deliveries-heading">Deliveries</h2>
        <p>
          {waiting} waiting, {failed} given up. The events of an application are delivered in their order: one
          that is waiting or was given up holds back those after it.
        </p>
        <Deliveries {...props} />
      </section>
      <section className="narrow stack-small" aria-labelledby="settings-heading">
        <h2 id="settings-heading">Settings</h2>
        <Disclosure summary="Name, address and events" open={errors.length > 0 || undefined}>
          <form method="post" action={href} noValidate>
            <WebhookFields form={form} kinds={props.kinds} saved={{ name, url, events: props.events }} />
            <div className="form-actions">
              <Button name="_action" value="change">
                Save
              </Button>
            </div>
          </form>
        </Disclosure>
        <Disclosure summary="Make a new secret">
          <form method="post" action={href}>
            <p>
              If somebody else may know the secret. For a day, events are signed with both, so that nothing is
              lost while you change it at the receiver.
              {formerSecretText ? ` The former secret still signs until ${formerSecretText}.` : null}
            </p>
            <div className="form-actions">
              <Button name="_action" value="secret" variant="secondary">
                Make a new secret
              </Button>
            </div>
          </form>
        </Disclosure>
        <Disclosure summary="Delete this endpoint">
          <form method="post" action={href}>
            <p>
              Nothing is sent to it any more, and the list of its deliveries goes, too. To stop for a while,
              pause it instead.
            </p>
            <div className="form-actions">
              <Button name="_action" value="delete" variant="secondary">
                Delete endpoint
              </Button>
            </div>
          </form>
        </Disclosure>
      </section>
    </div>
  );
}

function Deliveries({ endpoint: { href }, state, states, deliveries, olderHref }: AdminWebhookProps) {
  const tabs = [{ value: '', label: 'All' }, ...states].map(({ value, label }) => ({
    href: value ? `${href}?state=${value}` : href,
    label,
    isCurrent: value === state,
  }));
  return (
    <>
      <LinkTabs label="Deliveries by state" tabs={tabs} />
      {deliveries.length > 0 ? (
        <OfficeList wide label="Deliveries">
          {deliveries.map((delivery) => (
            <Delivery key={delivery.eventId} href={href} {...delivery} />
          ))}
        </OfficeList>
      ) : (
        <p>There is none.</p>
      )}
      {olderHref ? (
        <p>
          <a href={olderHref}>Older deliveries</a>
        </p>
      ) : null}
    </>
  );
}

const shapes = { waiting: 'clock', delivered: 'check', failed: 'warning', skipped: 'circle' } as const;

function Delivery({ href, ...delivery }: WebhookDeliveryRow & { href: string }) {
  const { eventId, kind, application, state, attempts, lastStatus, error } = delivery;
  const what = application ? `${kind} of ${application[1]}` : kind;
  return (
    <OfficeItem>
      <div>
        <strong>{kind}</strong> {application ? <a href={application[0]}>{application[1]}</a> : null}{' '}
        <Tag shape={shapes[state]}>{delivery.stateText}</Tag>
        <p className="small">
          {delivery.occurredText}
          {delivery.finishedText ? ` · ${delivery.stateText.toLowerCase()} ${delivery.finishedText}` : null}
          {delivery.dueText ? ` · next try ${delivery.dueText}` : null}
          {attempts > 0 ? ` · tries: ${attempts}` : null}
          {lastStatus !== null && !error ? ` · answered ${lastStatus}` : null}
        </p>
        {error ? <p className="small">{error}</p> : null}
        <Disclosure summary="What is sent">
          <p className="small">webhook-id: {eventId}</p>
          <CodeBlock>{delivery.body}</CodeBlock>
        </Disclosure>
      </div>
      <form method="post" action={href} className="row">
        <Button variant="quiet" name="_action" value={`resend:${eventId}`}>
          {state === 'waiting' ? 'Send now' : 'Send again'}
          <span className="visually-hidden">: {what}</span>
        </Button>
        {delivery.mayBeSkipped ? (
          <Button variant="quiet" name="_action" value={`skip:${eventId}`}>
            Skip
            <span className="visually-hidden">: {what}</span>
          </Button>
        ) : null}
      </form>
    </OfficeItem>
  );
}
