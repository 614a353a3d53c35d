import { useMemo } from 'react';
import type { AdminIdentityProviderProps } from '../../api/page.gen';
import { BackLink } from '../../ui/back-link';
import { Button } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { summaryErrors } from '../../ui/error-summary';
import { FormOutcome } from '../../ui/form-outcome';
import { SecretNotice } from '../../ui/office-secret';
import { AudienceTag } from './audience-tag';
import { IdentityProviderFields } from './identity-provider-fields';
import { ProviderAddress } from './provider-address';
import { ProvisioningSection } from './provisioning-section';

/** An identity provider: what to enter there, whether it answers, what it has sent, and its settings. */
export function IdentityProviderPage(props: AdminIdentityProviderProps) {
  const { href, forApplicants, saved, peopleText, redirectUri, logoutUri, directory, roles, form } = props;
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="narrow stack office-sections">
      <BackLink href="/admin-panel/settings/sign-on">All identity providers</BackLink>
      <div className="stack-small">
        <h1>{saved.name}</h1>
        <p>
          <AudienceTag forApplicants={forApplicants} /> {saved.issuer} · {peopleText}
        </p>
        {forApplicants ? <ForApplicants /> : null}
      </div>
      <FormOutcome errors={errors} message={form.message} />
      {directory.token ? (
        <SecretNotice secret={directory.token} copyLabel="Copy token">
          This is the token for provisioning. Enter it at the provider, together with the base URL. Copy it
          now: it is shown only once. A former token no longer works.
        </SecretNotice>
      ) : null}
      <form method="post" action={href} className="row">
        <Button name="_action" value="check" variant="secondary">
          Check connection
        </Button>
      </form>
      <section className="stack-small" aria-labelledby="addresses-heading">
        <h2 id="addresses-heading">What to enter at the provider</h2>
        <dl className="facts-list">
          <ProviderAddress name="Redirect URI" copyLabel="Copy redirect URI" uri={redirectUri}>
            Where it sends people back to.
          </ProviderAddress>
          {forApplicants ? null : (
            <ProviderAddress name="Back-channel logout URI" copyLabel="Copy logout URI" uri={logoutUri}>
              Where it tells that somebody has logged out there. Not every provider does.
            </ProviderAddress>
          )}
        </dl>
      </section>
      {forApplicants ? null : <ProvisioningSection href={href} directory={directory} />}
      <section className="stack-small" aria-labelledby="settings-heading">
        <h2 id="settings-heading">Settings</h2>
        <Disclosure
          summary={forApplicants ? 'Connection' : 'Connection and roles'}
          open={'issuer' in form.values || undefined}
        >
          <form className="stack" method="post" action={href} noValidate>
            <IdentityProviderFields form={form} roles={roles} saved={saved} forApplicants={forApplicants} />
            <div className="form-actions">
              <Button name="_action" value="change">
                Save
              </Button>
            </div>
          </form>
        </Disclosure>
        <Disclosure summary="Delete this provider">
          <form method="post" action={href}>
            <p>
              {forApplicants
                ? 'Nobody logs in with it any more. Sessions go on, and applicants log in with their password as before.'
                : 'Nobody logs in with it any more, sessions that came through it end, and so does provisioning. Staff who have a password go on with it; those without set one by “Forgot your password?”.'}
            </p>
            <div className="form-actions">
              <Button name="_action" value="delete" variant="secondary">
                Delete provider
              </Button>
            </div>
          </form>
        </Disclosure>
      </section>
    </div>
  );
}

function ForApplicants() {
  return (
    <p>
      The first time that somebody logs in with it, their account with the same email is linked, if they have
      confirmed that email here. People without an account create one first, and log in with the provider once
      they have confirmed their email. Everybody keeps their password, and is asked for their second factor if
      they have one.
    </p>
  );
}
