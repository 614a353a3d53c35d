import type { DirectoryGroupRow, DirectoryProps, ProvisioningInfo } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { Table } from '../../ui/table';
import { ProviderAddress } from './provider-address';

interface ProvisioningSectionProps {
  /** Path of the provider's page. */
  href: string;
  directory: DirectoryProps;
}

/** Whether a provider sends its users and groups, and what it has sent. */
export function ProvisioningSection({ href, directory }: ProvisioningSectionProps) {
  const { scimBaseUrl, provisioning } = directory;
  return (
    <section className="stack-small" aria-labelledby="provisioning-heading">
      <h2 id="provisioning-heading">Provisioning</h2>
      <p>
        The provider can send its users and groups here, by SCIM 2.0. Accounts are then made, changed and
        suspended as they change there, whether people log in or not. The names of groups decide the role, as
        at a login.
      </p>
      <dl className="facts-list">
        <ProviderAddress name="Base URL" copyLabel="Copy base URL" uri={scimBaseUrl}>
          Enter it at the provider, along with the token.
        </ProviderAddress>
        {provisioning ? <Facts {...provisioning} /> : null}
      </dl>
      {provisioning ? (
        <>
          <Groups groups={provisioning.groups} />
          <Disclosure summary="Replace the token">
            <form method="post" action={href}>
              <p>
                Do this if the token is lost or somebody else may know it. The old one stops working at once:
                enter the new one at the provider.
              </p>
              <div className="form-actions">
                <Button name="_action" value="make-token" variant="secondary">
                  Replace the token
                </Button>
              </div>
            </form>
          </Disclosure>
          <Disclosure summary="Turn provisioning off">
            <form method="post" action={href}>
              <p>
                The token stops working, and the users and groups that the provider has sent are deleted here.
                Accounts stay as they are, suspended ones too. Roles are brought up to date at each login
                again.
              </p>
              <div className="form-actions">
                <Button name="_action" value="delete-token" variant="secondary">
                  Turn provisioning off
                </Button>
              </div>
            </form>
          </Disclosure>
        </>
      ) : (
        <form method="post" action={href} className="row">
          <Button name="_action" value="make-token" variant="secondary">
            Turn provisioning on
          </Button>
        </form>
      )}
    </section>
  );
}

function Facts({ sinceText, lastUsedText, users, groups }: ProvisioningInfo) {
  return (
    <>
      <div>
        <dt>Token made</dt>
        <dd>{sinceText}</dd>
      </div>
      <div>
        <dt>Last heard from</dt>
        <dd>{lastUsedText ?? 'Not yet'}</dd>
      </div>
      <div>
        <dt>Users</dt>
        <dd>{users}</dd>
      </div>
      <div>
        <dt>Groups</dt>
        <dd>{groups.length}</dd>
      </div>
    </>
  );
}

function Groups({ groups }: { groups: DirectoryGroupRow[] }) {
  return groups.length > 0 ? (
    <Table label="Groups" tabIndex={0}>
      <thead>
        <tr>
          <th scope="col">Group</th>
          <th scope="col">Members</th>
          <th scope="col">Role</th>
        </tr>
      </thead>
      <tbody>
        {groups.map(({ name, members, role }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{members}</td>
            <td>{role ?? 'No role'}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  ) : (
    <p>No groups have been sent yet.</p>
  );
}
