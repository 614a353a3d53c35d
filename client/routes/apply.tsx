import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Page } from '../api/page.gen';
import { ApplyPage } from '../features/apply/apply-page';
import { AuthDialog } from '../features/auth/auth-dialog';
import { useAuthDialog } from '../features/auth/use-auth-dialog';
import type { Frame } from '../ui/layout';

export const frame = (): Frame => ({ bleed: true });

export default function Apply({ page }: { page: Extract<Page, { route: 'apply' }> }) {
  const { props, shared } = page;
  const { path } = props.info;
  const pageHref = `/${path}/apply`;
  const navigate = useNavigate();
  const { mode, draft, redirect, form, switchTo, close } = useAuthDialog(
    page,
    pageHref,
    `/${path}/application`,
  );
  // If the document comes with an open dialog, only the top of the page is visible.
  const [isWhole, setWhole] = useState(!mode);
  if (!mode && !isWhole) setWhole(true);
  return (
    <>
      <ApplyPage {...props} shared={shared} isWhole={isWhole} />
      {mode ? (
        <AuthDialog
          program={path}
          mode={mode}
          redirect={redirect}
          passkeys={shared.passkeys}
          signOn={shared.signOn}
          form={form}
          draft={draft}
          closeHref={pageHref}
          onMode={switchTo}
          onClose={close}
          onLoggedIn={() => navigate(redirect)}
        />
      ) : null}
    </>
  );
}
