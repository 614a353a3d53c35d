import { useMemo } from 'react';
import type { AdminAdminProps, AdminRow } from '../../api/page.gen';
import { BackLink } from '../../ui/back-link';
import { Button, ButtonLink } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { summaryErrors } from '../../ui/error-summary';
import { SelectField } from '../../ui/field';
import { FormOutcome } from '../../ui/form-outcome';
import { Tag } from '../../ui/tag';

/** A member of staff: role, suspension, second factor, removal. */
export function AdminPage({ admin, roles, form }: AdminAdminProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  const options = useMemo(
    () => roles.map(({ value, label, hint }) => ({ value, label: `${label} – ${hint}` })),
    [roles],
  );
  return (
    <div className="narrow stack office-sections">
      <BackLink href="/admin-panel/admins">All admins</BackLink>
      <h1>{admin.name || admin.email}</h1>
      <FormOutcome errors={errors} message={form.message} />
      <dl className="facts-list">
        <div>
          <dt>Email</dt>
          <dd>{admin.email}</dd>
        </div>
        <div>
          <dt>Role</dt>
          <dd>{admin.roleTitle}</dd>
        </div>
        <div>
          <dt>Account</dt>
          <dd>{admin.suspended ? <Tag shape="warning">Suspended</Tag> : <Tag shape="check">Active</Tag>}</dd>
        </div>
        <div>
          <dt>Second factor</dt>
          <dd>{admin.secondFactor ? <Tag shape="check">On</Tag> : <Tag shape="circle">Off</Tag>}</dd>
        </div>
      </dl>
      {admin.isSelf ? (
        <p>
          This is you. Your role can be changed by another Owner only; the rest is in{' '}
          <a href="/admin-panel/account">your account</a>.
        </p>
      ) : (
        <>
          <section className="stack-small" aria-labelledby="role-heading">
            <h2 id="role-heading">Role</h2>
            <p>It holds from their next click on: they have to log in again.</p>
            <form method="post" action={admin.href} noValidate>
              <SelectField
                label="Role"
                name="role"
                options={options}
                error={form.errors['role']}
                defaultValue={String(form.values['role'] ?? admin.role)}
              />
              <div className="form-actions">
                <Button name="_action" value="role">
                  Change role
                </Button>
              </div>
            </form>
          </section>
          <AccountActions admin={admin} />
        </>
      )}
    </div>
  );
}

function AccountActions({ admin }: { admin: AdminRow }) {
  return (
    <>
      <section className="stack-small" aria-labelledby="access-heading">
        <h2 id="access-heading">Access</h2>
        <p>
          {admin.suspended
            ? 'They cannot log in until you open the account again.'
            : 'Suspending ends all their sessions at once. Nothing else changes, and you can undo it.'}
        </p>
        <form className="row" method="post" action={admin.href}>
          {admin.suspended ? (
            <Button variant="secondary" name="_action" value="resume">
              Open the account again
            </Button>
          ) : (
            <Button variant="secondary" name="_action" value="suspend">
              Suspend the account
            </Button>
          )}
          {admin.secondFactor ? (
            <Button variant="quiet" name="_action" value="reset">
              Remove their second factor
            </Button>
          ) : null}
        </form>
      </section>
      <section className="stack-small" aria-labelledby="remove-heading">
        <h2 id="remove-heading">Remove</h2>
        <Disclosure summary={`Remove ${admin.name || admin.email} from the office`}>
          <form className="stack-small" method="post" action={admin.href}>
            <p>
              The account cannot be brought back. What they did stays in the record, and they can be invited
              anew.
            </p>
            <div className="form-actions">
              <Button name="_action" value="remove">
                Remove the account
              </Button>
              <ButtonLink variant="quiet" href="/admin-panel/admins">
                Keep it
              </ButtonLink>
            </div>
          </form>
        </Disclosure>
      </section>
    </>
  );
}
