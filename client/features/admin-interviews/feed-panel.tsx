import type { FeedView } from '../../api/page.gen';
import { Button } from '../../ui/button';

/** The secret address of the user's calendar: created, shown once, and revoked. */
export function FeedPanel({ feed, staff, date }: { feed: FeedView; staff: string; date: string }) {
  return (
    <section className="stack-small" aria-labelledby="feed-heading">
      <h2 id="feed-heading">In your calendar program</h2>
      <p>
        Subscribe to an address, and your interviews appear there by reference number. Whoever knows the
        address can read them, so keep it to yourself.
      </p>
      {feed.address ? (
        <>
          <p role="status">This is the address. It is shown only now.</p>
          <p className="secret-text">{feed.address}</p>
        </>
      ) : null}
      {feed.sinceText ? <p>There is an address since {feed.sinceText}.</p> : null}
      <form method="post" action="/admin-panel/interviews" className="form-actions">
        <input type="hidden" name="staff" value={staff} />
        <input type="hidden" name="date" value={date} />
        <Button variant="secondary" name="_action" value="feed-open">
          {feed.sinceText ? 'Make another address' : 'Make an address'}
        </Button>
        {feed.sinceText ? (
          <Button variant="quiet" name="_action" value="feed-close">
            Switch it off
          </Button>
        ) : null}
      </form>
    </section>
  );
}
