import type { ReactNode } from 'react';
import type { ConfirmEmailProps, Shared } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Button, ButtonLink } from '../../ui/button';
import { Notice } from '../../ui/notice';

interface ConfirmEmailPageProps extends ConfirmEmailProps {
  shared: Shared;
}

/** Target of a mailed link. Confirming or stopping takes a button, because mail scanners open links. */
export function ConfirmEmailPage(props: ConfirmEmailPageProps) {
  const { link, outcome, error, shared } = props;
  if (outcome === 'changed') {
    return (
      <Told heading="Your email has been changed">
        <p>
          From now on, you log in with the new address, and we will write to you there. You were logged out
          everywhere else.
        </p>
        <Onward shared={shared} />
      </Told>
    );
  }
  if (outcome === 'stopped') {
    return (
      <Told heading="The change has been canceled">
        <p>
          The account keeps its email, and the links that we sent no longer work. If you did not ask for the
          change, someone knows your password. Choose a new one.
        </p>
        <Onward shared={shared} />
      </Told>
    );
  }
  if (outcome === 'confirmed' || (link?.side === 'own' && link.confirmed)) {
    return (
      <Told heading="Your email is confirmed">
        <p>
          From now on, we will write to you there. You can also find everything that we write in your
          messages.
        </p>
        {shared.viewer ? (
          <ButtonLink href="/dashboard">Go to your dashboard</ButtonLink>
        ) : (
          <ButtonLink href={`/${shared.program}/apply?dialog=login&redirect=%2Fdashboard`}>Log in</ButtonLink>
        )}
      </Told>
    );
  }
  if (!link) {
    return (
      <Told heading="This link is no longer valid">
        <p>{error ?? t('Only the newest link works, and it expires.')}</p>
        <p>
          Your account page shows your email and lets you ask for a change again. Your dashboard shows whether
          it still needs to be confirmed and can send another link.
        </p>
        <Onward shared={shared} />
      </Told>
    );
  }
  if (link.confirmed) {
    return (
      <Told heading="Confirmed. Now the other address">
        <p>
          {link.side === 'old'
            ? t`We are waiting for ${link.email} to confirm it, too: open the link that we sent there.`
            : t(
                'The current address of the account still has to confirm it, too: open the link that we sent there.',
              )}
        </p>
        <StopForm token={props.token} />
      </Told>
    );
  }
  return link.side === 'own' ? (
    <OwnQuestion {...props} email={link.email} />
  ) : (
    <Question {...props} link={link} />
  );
}

function Question({
  token,
  link,
  error,
}: ConfirmEmailPageProps & { link: NonNullable<ConfirmEmailProps['link']> }) {
  return (
    <div className="narrow stack">
      <h1>{link.side === 'old' ? t('Change your email?') : t('Is this your new email?')}</h1>
      {error ? (
        <Notice tone="error" role="alert">
          <p>{error}</p>
        </Notice>
      ) : null}
      {link.both ? (
        <p>
          The email of your account will become <strong>{link.email}</strong> when both addresses have
          confirmed it.
        </p>
      ) : (
        <p>
          The email of your account will become <strong>{link.email}</strong> when you confirm it.
        </p>
      )}
      <form method="post" action="/confirm-email">
        <input type="hidden" name="token" value={token} />
        <div className="form-actions">
          <Button name="_action" value="confirm">
            Confirm
          </Button>
          <Button variant="secondary" name="_action" value="stop">
            Cancel the change
          </Button>
        </div>
      </form>
      <p className="hint">
        {link.side === 'old'
          ? t(
              'If you did not ask for it, someone knows your password. Cancel the change and choose a new password.',
            )
          : t('If you did not ask for it, cancel it or just close this page.')}
      </p>
    </div>
  );
}

function OwnQuestion({ token, email, error }: ConfirmEmailPageProps & { email: string }) {
  return (
    <div className="narrow stack">
      <h1>Is this your email?</h1>
      {error ? (
        <Notice tone="error" role="alert">
          <p>{error}</p>
        </Notice>
      ) : null}
      <p>
        An account was created here with <strong>{email}</strong>. If that was you, confirm the address. From
        then on, we will write to you there.
      </p>
      <form method="post" action="/confirm-email">
        <input type="hidden" name="token" value={token} />
        <div className="form-actions">
          <Button name="_action" value="confirm-own">
            Confirm
          </Button>
        </div>
      </form>
      <p className="hint">If it was not you, just close this page.</p>
    </div>
  );
}

function StopForm({ token }: { token: string }) {
  return (
    <form method="post" action="/confirm-email">
      <input type="hidden" name="token" value={token} />
      <Button variant="quiet" name="_action" value="stop">
        Cancel the change
      </Button>
    </form>
  );
}

function Told({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <div className="narrow stack" role="status">
      <h1>{heading}</h1>
      {children}
    </div>
  );
}

function Onward({ shared }: { shared: Shared }) {
  return shared.viewer ? (
    <ButtonLink href="/dashboard/account">Go to your account</ButtonLink>
  ) : (
    <ButtonLink href={`/${shared.program}/apply?dialog=login&redirect=%2Fdashboard%2Faccount`}>
      Log in
    </ButtonLink>
  );
}
