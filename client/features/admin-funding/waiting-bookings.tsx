import type { AdminFundingProps } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { Notice } from '../../ui/notice';
import { dossierHref, DossierFields } from '../../ui/office-dossier';

/** Bookings that need a second person's approval. */
export function WaitingBookings({ frame, waiting }: Pick<AdminFundingProps, 'frame' | 'waiting'>) {
  return (
    <section className="stack-small" aria-labelledby="waiting-heading">
      <h2 id="waiting-heading">Waits for a second person</h2>
      {waiting.map((booking) => (
        <Notice key={booking.id} tone="info" title={`${booking.what}, ${booking.amountText}`}>
          <p>Asked for by {booking.askedText}. It is not booked.</p>
          <p>{booking.reason}</p>
          {booking.mayApprove || booking.mayTakeBack ? (
            <form method="post" action={dossierHref(frame, '/funding')} className="form-actions">
              <DossierFields frame={frame} />
              <input type="hidden" name="about" value={booking.id} />
              {booking.mayApprove ? (
                <Button name="_action" value="approve">
                  Approve<span className="visually-hidden"> {booking.amountText}</span>
                </Button>
              ) : null}
              {booking.declineHref ? (
                <ButtonLink variant="secondary" href={booking.declineHref}>
                  Decline<span className="visually-hidden"> {booking.amountText}</span>
                </ButtonLink>
              ) : null}
              {booking.mayTakeBack ? (
                <Button variant="secondary" name="_action" value="take-back">
                  Take it back<span className="visually-hidden"> ({booking.amountText})</span>
                </Button>
              ) : null}
            </form>
          ) : null}
        </Notice>
      ))}
    </section>
  );
}
