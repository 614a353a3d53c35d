import { useMemo } from 'react';
import type { AdminApiKeysProps, ApiKeyRow } from '../../api/page.gen';
import { OfficeItem } from '../../theme/parts/office-list';
import { BackLink } from '../../ui/back-link';
import { Button } from '../../ui/button';
import { summaryErrors } from '../../ui/error-summary';
import { ChoiceField, ChoiceInput, SelectField, TextField } from '../../ui/field';
import { FormOutcome } from '../../ui/form-outcome';
import { OfficeList } from '../../ui/office-list';
import { SecretNotice } from '../../ui/office-secret';
import { Tag } from '../../ui/tag';

const PATH = '/admin-panel/account/keys';

/** API keys of a member of staff. */
export function ApiKeysPage({ keys, made, roles, lifetimes, form }: AdminApiKeysProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="narrow stack office-sections">
      <BackLink href="/admin-panel/account">Your account</BackLink>
      <h1>API keys</h1>
      <p>
        With a key, a program of yours calls <a href="/api/docs">the API</a> in your name. What it does is
        recorded as yours, together with the key. It cannot make calls that ask for your password.
      </p>
      <FormOutcome errors={errors} message={form.message} />
      {made ? (
        <SecretNotice secret={made.secret} copyLabel="Copy key">
          The key <strong>{made.name}</strong> is made. Copy it now: it is shown only once.
        </SecretNotice>
      ) : null}
      {keys.length > 0 ? (
        <form method="post" action={PATH}>
          <OfficeList label="Your API keys">
            {keys.map((key) => (
              <Key key={key.id} {...key} />
            ))}
          </OfficeList>
        </form>
      ) : (
        <p>You have no key yet.</p>
      )}
      <section className="stack-small" aria-labelledby="new-heading">
        <h2 id="new-heading">Make a key</h2>
        <form method="post" action={PATH} noValidate>
          <TextField
            label="What is it for?"
            name="name"
            hint="For example, the program that will use it."
            autoComplete="off"
            required
            defaultValue={String(form.values['name'] ?? '')}
            error={form.errors['name']}
          />
          <SelectField
            label="Role"
            name="role"
            hint="The least that the program needs."
            options={roles.map(({ value, label, hint }) => ({ value, label: `${label} – ${hint}` }))}
            defaultValue={String(form.values['role'] ?? 'viewer')}
            error={form.errors['role']}
          />
          <Access chosen={String(form.values['readOnly'] ?? 'yes')} error={form.errors['readOnly']} />
          <SelectField
            label="Valid for"
            name="days"
            options={lifetimes.map((days) => ({ value: String(days), label: `${days} days` }))}
            defaultValue={String(form.values['days'] ?? lifetimes[1])}
            error={form.errors['days']}
          />
          <div className="form-actions">
            <Button name="_action" value="create">
              Make key
            </Button>
          </div>
        </form>
      </section>
    </div>
  );
}

function Key({ id, name, roleTitle, readOnly, expired, createdText, expiresText, lastUsedText }: ApiKeyRow) {
  return (
    <OfficeItem>
      <div>
        <strong>{name}</strong> {expired ? <Tag shape="warning">Expired</Tag> : null}
        <p className="small">
          {roleTitle}, {readOnly ? 'reads only' : 'reads and changes'}
          <br />
          Made {createdText}; {expired ? 'expired' : 'expires'} {expiresText}
          <br />
          {lastUsedText ? `Last used ${lastUsedText}` : 'Not used yet'}
        </p>
      </div>
      <Button variant="quiet" name="_action" value={`revoke:${id}`}>
        Revoke
        <span className="visually-hidden"> the key {name}</span>
      </Button>
    </OfficeItem>
  );
}

function Access({ chosen, error }: { chosen: string; error: string | undefined }) {
  const choice = (value: string) => ({
    type: 'radio' as const,
    name: 'readOnly',
    value,
    defaultChecked: chosen === value,
  });
  return (
    <ChoiceField label="What may it do?" name="readOnly" role="radiogroup" error={error}>
      {({ id }) => (
        <div className="choices">
          <ChoiceInput {...choice('yes')} id={id} label="Read" />
          <ChoiceInput {...choice('no')} id={`${id}-no`} label="Read and change" />
        </div>
      )}
    </ChoiceField>
  );
}
