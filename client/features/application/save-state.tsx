import { SaveSurface } from '../../theme/parts/save-state';
import { Icon } from '../../ui/icon';
import type { IconName } from '../../ui/icon';
import { reveal } from '../../ui/reveal';
import type { ApplicationProps } from '../../api/page.gen';
import { CONFLICTS_ID } from './conflict-notice';
import { answerHref } from './sections';
import { openErrors, saveStateOf, type State } from './state';
import { Button } from '../../ui/button';

const icons = { calm: 'check', busy: 'clock', problem: 'warning' } as const satisfies Record<
  string,
  IconName
>;

interface SaveStateProps {
  info: ApplicationProps['info'];
  state: State;
  /** Opens the login dialog again. */
  onLogin: () => void;
}

/** Shows whether the answers are saved; next to the title and always visible. */
export function SaveState({ info, state, onLogin }: SaveStateProps) {
  const { text, tone } = saveStateOf(state);
  const away = state.phase === 'retrying';
  const out = state.phase === 'signed-out' || state.phase === 'other-account';
  const trouble = away || out ? undefined : firstTrouble(info, state);
  return (
    <SaveSurface className={`save-state save-state-${tone}`}>
      <p role="status" aria-live="polite">
        <Icon name={away ? 'cloud-off' : icons[tone]} />
        <span>
          {text}
          {away || out ? <small>Your answers are kept in this browser.</small> : null}
        </span>
      </p>
      {trouble ? (
        <a
          href={trouble}
          onClick={(event) => {
            const target = document.getElementById(trouble.slice(trouble.indexOf('#') + 1));
            if (!target) return;
            event.preventDefault();
            reveal(target);
            target.focus();
          }}
        >
          Show
        </a>
      ) : null}
      {out ? (
        <Button type="button" variant="quiet" onClick={onLogin}>
          Log in
        </Button>
      ) : null}
    </SaveSurface>
  );
}

/** Returns the first place that needs the applicant's attention. */
function firstTrouble(info: ApplicationProps['info'], state: State): string | undefined {
  if (state.conflicts.length > 0) return `#${CONFLICTS_ID}`;
  // In the order of the form, not of the errors.
  const path = Object.keys(state.answers).find((answer) => openErrors(state)[answer] !== undefined);
  return path && answerHref(info, path);
}
