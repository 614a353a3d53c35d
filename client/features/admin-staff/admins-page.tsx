import { useMemo } from 'react';
import type { AdminAdminsProps, AdminRow, FormState, InvitationRow, RoleChoice } from '../../api/page.gen';
import { OfficeItem } from '../../theme/parts/office-list';
import { Button } from '../../ui/button';
import { summaryErrors } from '../../ui/error-summary';
import { emailInput, SelectField, TextField } from '../../ui/field';
import { FormOutcome } from '../../ui/form-outcome';
import { OfficeList } from '../../ui/office-list';
import { Table } from '../../ui/table';
import { Tag } from '../../ui/tag';

const PATH = '/admin-panel/admins';

/** All staff, pending invitations, and the form to invite somebody. */
export function AdminsPage({ admins, invitations, roles, secondFactorRequired, form }: AdminAdminsProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="stack office-sections">
      <h1>Admins</h1>
      <FormOutcome errors={errors} message={form.message} />
      <AdminTable admins={admins} />
      <section className="stack-small" aria-labelledby="invite-heading">
        <h2 id="invite-heading">Invite somebody</h2>
        <InviteForm roles={roles} form={form} />
      </section>
      {invitations.length > 0 ? (
        <section className="stack-small" aria-labelledby="invitations-heading">
          <h2 id="invitations-heading">Invited</h2>
          <InvitationList invitations={invitations} />
        </section>
      ) : null}
      <section className="stack-small narrow" aria-labelledby="applicant-heading">
        <h2 id="applicant-heading">Applicants who have lost their second factor</h2>
        <p>
          Without it the password alone logs in, so be sure first that it is really the applicant who asks:
          call back by the number of the account, for example. They get a mail about it.
        </p>
        <form method="post" action={`${PATH}/applicants-second-factor`} noValidate>
          <TextField
            {...emailInput}
            label="Address of the applicant’s account"
            name="applicantEmail"
            autoComplete="off"
            error={form.errors['applicantEmail']}
            defaultValue={String(form.values['applicantEmail'] ?? '')}
          />
          <div className="form-actions">
            <Button variant="secondary">Remove the second factor</Button>
          </div>
        </form>
      </section>
      <section className="stack-small narrow" aria-labelledby="rule-heading">
        <h2 id="rule-heading">Second factor for everybody</h2>
        <p>
          {secondFactorRequired ? <Tag shape="check">Needed</Tag> : <Tag shape="circle">Not needed</Tag>}{' '}
          {secondFactorRequired
            ? 'Everybody in the office must have one. Who has none sets it up before anything else.'
            : 'Everybody decides for themselves.'}
        </p>
        <form method="post" action={`${PATH}/second-factor`}>
          <Button variant="secondary" name="required" value={secondFactorRequired ? 'no' : 'yes'}>
            {secondFactorRequired ? 'Leave it to everybody' : 'Everybody needs one'}
          </Button>
        </form>
      </section>
    </div>
  );
}

function AdminTable({ admins }: { admins: AdminRow[] }) {
  return (
    <Table label="Staff">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Role</th>
          <th scope="col">Account</th>
          <th scope="col">Second factor</th>
          <th scope="col">Last seen</th>
        </tr>
      </thead>
      <tbody>
        {admins.map((admin) => (
          <tr key={admin.id}>
            <th scope="row">
              <a href={admin.href}>{admin.name || admin.email}</a>
              {admin.isSelf ? ' (you)' : null}
              {admin.name ? <span className="office-sub">{admin.email}</span> : null}
            </th>
            <td>{admin.roleTitle}</td>
            <td>
              {admin.suspended ? <Tag shape="warning">Suspended</Tag> : <Tag shape="check">Active</Tag>}
            </td>
            <td>{admin.secondFactor ? <Tag shape="check">On</Tag> : <Tag shape="circle">Off</Tag>}</td>
            <td>{admin.lastSeenText ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function InviteForm({ roles, form }: { roles: RoleChoice[]; form: FormState }) {
  const options = useMemo(
    () => [
      { value: '', label: 'Choose a role' },
      ...roles.map(({ value, label, hint }) => ({ value, label: `${label} – ${hint}` })),
    ],
    [roles],
  );
  return (
    <form className="narrow" method="post" action={PATH} noValidate>
      <TextField
        {...emailInput}
        name="email"
        hint="They get a link to choose a password. It works for seven days."
        autoComplete="off"
        error={form.errors['email']}
        defaultValue={String(form.values['email'] ?? '')}
      />
      <SelectField
        label="Role"
        name="role"
        options={options}
        required
        error={form.errors['role']}
        defaultValue={String(form.values['role'] ?? '')}
      />
      <div className="form-actions">
        <Button name="_action" value="invite">
          Send the invitation
        </Button>
      </div>
    </form>
  );
}

function InvitationList({ invitations }: { invitations: InvitationRow[] }) {
  return (
    <OfficeList label="Invitations">
      {invitations.map((invitation) => (
        <OfficeItem key={invitation.id}>
          <div>
            <strong>{invitation.email}</strong> as {invitation.roleTitle}{' '}
            {invitation.expired ? <Tag shape="warning">Expired</Tag> : <Tag shape="clock">Waiting</Tag>}
            <p className="small">
              Sent {invitation.sentText}
              <br />
              {invitation.expired ? 'Worked' : 'Works'} until {invitation.untilText}
            </p>
          </div>
          <form className="row" method="post" action={PATH}>
            <Button variant="quiet" name="_action" value={`resend:${invitation.id}`}>
              Send again
              <span className="visually-hidden"> to {invitation.email}</span>
            </Button>
            <Button variant="quiet" name="_action" value={`revoke:${invitation.id}`}>
              Take back
              <span className="visually-hidden"> the invitation of {invitation.email}</span>
            </Button>
          </form>
        </OfficeItem>
      ))}
    </OfficeList>
  );
}
