import type { UnsubscribeProps } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { ChoiceInput } from '../../ui/field';
import { Notice } from '../../ui/notice';

/** Ends our mails. It takes a button, because mail scanners open links. */
export function UnsubscribePage({ token, email, error }: UnsubscribeProps) {
  if (email === null) {
    return (
      <div className="narrow stack" role="status">
        <h1>You are unsubscribed</h1>
        <p>We will not write to you about our programs again.</p>
        <ButtonLink variant="secondary" href="/">
          Go to the programs
        </ButtonLink>
      </div>
    );
  }
  return (
    <div className="narrow stack">
      <h1>Unsubscribe?</h1>
      {error ? (
        <Notice tone="error" role="alert">
          <p>{error}</p>
        </Notice>
      ) : null}
      <p>
        We will not write to <strong>{email}</strong> again, and we will delete the address.
      </p>
      <form method="post" action="/unsubscribe">
        <input type="hidden" name="token" value={token} />
        <ChoiceInput
          type="checkbox"
          name="bookings"
          value="yes"
          id="bookings"
          label="Cancel my bookings of open days, too"
          hint="Otherwise they remain as they are, and we write to you about them."
        />
        <div className="form-actions">
          <Button>Unsubscribe</Button>
        </div>
      </form>
    </div>
  );
}
