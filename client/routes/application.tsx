import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { AuthMode, Page, ProgramPath, Shared } from '../api/page.gen';
import type { LoginSlot } from '../features/application/application-form';
import { ApplicationPage } from '../features/application/application-page';
import type { Draft } from '../features/auth/draft';
import { LoginDialog } from '../features/auth/login-dialog';
import { useAuthDialog } from '../features/auth/use-auth-dialog';

export default function Application({ page }: { page: Extract<Page, { route: 'application' }> }) {
  const { props, shared } = page;
  const { path } = props.info;
  const pageHref = shared.path;
  const navigate = useNavigate();
  const { mode, draft, redirect, form, switchTo, close } = useAuthDialog(page, pageHref, pageHref);
  return (
    <>
      <ApplicationPage
        page={page}
        renderLogin={(slot) => <LoginAgain {...slot} program={path} pageHref={pageHref} shared={shared} />}
      />
      {mode ? (
        <LoginDialog
          program={path}
          mode={mode}
          redirect={redirect}
          passkeys={shared.passkeys}
          signOn={shared.signOn}
          form={form}
          draft={draft}
          closeHref={`/${path}/apply`}
          onMode={switchTo}
          onClose={close}
          onLoggedIn={() => navigate(redirect, { replace: true, preventScrollReset: true })}
        />
      ) : null}
    </>
  );
}

interface LoginAgainProps extends LoginSlot {
  program: ProgramPath;
  pageHref: string;
  shared: Shared;
}

/** Shows the login dialog over the form, which stays as it is, if the session ends while the user is typing. */
function LoginAgain({ onLoggedIn, onClose, program, pageHref, shared }: LoginAgainProps) {
  const [mode, setMode] = useState<AuthMode>('login');
  const [draft] = useState<Draft>(() => new Map());
  return (
    <LoginDialog
      program={program}
      mode={mode}
      redirect={pageHref}
      passkeys={shared.passkeys}
      signOn={shared.signOn}
      draft={draft}
      closeHref={pageHref}
      onMode={setMode}
      onClose={onClose}
      onLoggedIn={onLoggedIn}
    />
  );
}
