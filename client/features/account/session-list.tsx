import { useEffect, useRef } from 'react';
import type { FormEvent } from 'react';
import { endOtherSessions, endSession } from '../../api/account';
import type { FormState, SessionInfo } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Lines } from '../../theme/parts/lines';
import { SessionLine } from '../../theme/parts/session-line';
import { Button } from '../../ui/button';
import { Tag } from '../../ui/tag';
import { FormOutcome } from '../../ui/form-outcome';
import { useAccountForm } from './use-account-form';

interface SessionListProps {
  sessions: SessionInfo[];
  came: FormState;
  /** Called with the remaining sessions. */
  onEnded: (left: SessionInfo[]) => void;
}

export function SessionList({ sessions, came, onEnded }: SessionListProps) {
  const { form, errors, busy, run } = useAccountForm(came);
  const list = useRef<HTMLUListElement>(null);
  const shown = useRef(sessions);
  const hasOthers = sessions.some((session) => !session.current);

  // The button that had the focus has disappeared with its session.
  useEffect(() => {
    if (shown.current !== sessions && document.activeElement === document.body) list.current?.focus();
    shown.current = sessions;
  }, [sessions]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const [action, id = ''] = ((submitter as HTMLButtonElement | null)?.value ?? '').split(':');
    if (action === 'end-other-sessions') {
      const ended = await run(endOtherSessions, t('Your other sessions have ended.'));
      if (ended) onEnded(sessions.filter((session) => session.current));
    } else {
      const ended = await run(() => endSession(id), t('The session has ended.'));
      if (ended) onEnded(sessions.filter((session) => session.id !== id));
    }
  }

  return (
    <form method="post" action="/dashboard/account" onSubmit={(event) => void submit(event)}>
      <FormOutcome errors={errors} errorTitle="The session has not ended" message={form.message} />
      <Lines className="sessions" ref={list} tabIndex={-1} aria-label="Sessions">
        {sessions.map((session) => (
          <SessionLine key={session.id}>
            <div>
              <strong>{session.device}</strong>
              {session.current ? <Tag shape="check">This session</Tag> : null}
              <p className="small">
                Logged in {session.startedText}
                <br />
                Last seen {session.lastSeenText}
              </p>
            </div>
            {session.current ? null : (
              <Button variant="quiet" name="_action" value={`end-session:${session.id}`} busy={busy}>
                End
                <span className="visually-hidden"> the session on {session.device}</span>
              </Button>
            )}
          </SessionLine>
        ))}
      </Lines>
      {hasOthers ? (
        <Button variant="secondary" name="_action" value="end-other-sessions" busy={busy}>
          End all other sessions
        </Button>
      ) : (
        <p className="hint">You are not logged in anywhere else.</p>
      )}
    </form>
  );
}
