import type { ReactNode } from 'react';
import type { ApplicationProps } from '../../api/page.gen';
import { ButtonLink } from '../../ui/button';
import { ApplicationForm, type ApplicationPageOf, type LoginSlot } from './application-form';
import { SentApplication } from './parts';

interface ApplicationPageProps {
  page: ApplicationPageOf;
  renderLogin: (slot: LoginSlot) => ReactNode;
}

export function ApplicationPage({ page, renderLogin }: ApplicationPageProps) {
  const { props, shared } = page;
  const { application, info, sent } = props;
  if (!application)
    return shared.viewer ? (
      <LoadFailed retryHref={shared.path} />
    ) : (
      <LoginFirst info={info} wanted={shared.path} />
    );
  if (sent) return <SentApplication {...props} application={application} sent={sent} />;
  return (
    <ApplicationForm
      // Another application, or the same one in the other program, is a separate form.
      key={`${info.path} ${application.id}`}
      page={page}
      application={application}
      viewer={shared.viewer}
      renderLogin={renderLogin}
    />
  );
}

/** Never offers a new start: the application exists, only its answers could not be loaded. */
function LoadFailed({ retryHref }: { retryHref: string }) {
  return (
    <div className="narrow stack">
      <h1>We could not load your application</h1>
      <p>Your answers are safe. Try again in a minute.</p>
      <ButtonLink href={retryHref}>Retry</ButtonLink>
    </div>
  );
}

function LoginFirst({ info, wanted }: { info: ApplicationProps['info']; wanted: string }) {
  const dialog = (mode: 'login' | 'register') =>
    `/${info.path}/apply?dialog=${mode}&redirect=${encodeURIComponent(wanted)}`;
  return (
    <div className="narrow stack">
      <h1>Your application for the {info.name}</h1>
      <p>Log in to see it, or create an account to begin.</p>
      <div className="row">
        <ButtonLink href={dialog('login')}>Log in</ButtonLink>
        <ButtonLink variant="quiet" href={dialog('register')}>
          Create an account
        </ButtonLink>
      </div>
    </div>
  );
}
