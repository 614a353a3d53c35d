import { useMemo } from 'react';
import type { AdminSignOnProps, IdentityProviderRow } from '../../api/page.gen';
import { OfficeItem } from '../../theme/parts/office-list';
import { BackLink } from '../../ui/back-link';
import { Button } from '../../ui/button';
import { summaryErrors } from '../../ui/error-summary';
import { FormOutcome } from '../../ui/form-outcome';
import { OfficeList } from '../../ui/office-list';
import { AudienceTag } from './audience-tag';
import { IdentityProviderFields } from './identity-provider-fields';

/** The identity providers that staff and applicants log in with. */
export function SignOnPage(props: AdminSignOnProps) {
  const { providers, redirectUri, applicantRedirectUri, roleClaim, roles, form } = props;
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="narrow stack office-sections">
      <BackLink href="/admin-panel/settings">All settings</BackLink>
      <h1>Single sign-on</h1>
      <p>
        Staff log in with an identity provider of the institute, by OpenID Connect. Their groups there decide
        their role here. People who log in for the first time get an account. Staff whose account has the same
        email keep it, but no longer log in with its password; Owners still can.
      </p>
      <p>
        Applicants can log in with providers of their own, such as Google. The first time, their account with
        the same email is linked, if they have confirmed it here. People without an account create one first.
        All can go on logging in with their password.
      </p>
      <FormOutcome errors={errors} message={form.message} />
      {providers.length > 0 ? (
        <OfficeList label="Identity providers">
          {providers.map((provider) => (
            <Provider key={provider.href} {...provider} />
          ))}
        </OfficeList>
      ) : (
        <p>
          There is no identity provider yet. Staff are invited; they and applicants log in with passwords and
          passkeys.
        </p>
      )}
      <section className="stack-small" aria-labelledby="new-heading">
        <h2 id="new-heading">Add an identity provider</h2>
        <p>
          First register the admissions office there, as a web application with a secret. Its redirect URI is{' '}
          <code>{redirectUri}</code> for staff, and <code>{applicantRedirectUri}</code> for applicants.
        </p>
        <form className="stack" method="post" action="/admin-panel/settings/sign-on" noValidate>
          <IdentityProviderFields form={form} roles={roles} usualClaim={roleClaim} />
          <div className="form-actions">
            <Button>Add provider</Button>
          </div>
        </form>
      </section>
    </div>
  );
}

function Provider({ href, name, issuer, forApplicants, peopleText }: IdentityProviderRow) {
  return (
    <OfficeItem>
      <div>
        <strong>
          <a href={href}>{name}</a>
        </strong>{' '}
        <AudienceTag forApplicants={forApplicants} />
        <p className="small">
          {issuer}
          <br />
          {peopleText}
        </p>
      </div>
    </OfficeItem>
  );
}
