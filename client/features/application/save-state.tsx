import { Icon } from '../../ui/icon';
import type { IconName } from '../../ui/icon';
import { fieldId } from '../../ui/field';
import { CONFLICTS_ID } from './conflict-notice';
import { openErrors, saveStateOf, type State } from './state';

const icons = { calm: 'check', busy: 'clock', problem: 'warning' } as const satisfies Record<
  string,
  IconName
>;

interface SaveStateProps {
  state: State;
  /** Opens the login dialog again. */
  onLogin: () => void;
}

/** Beside the title and always in sight: whether the answers are on the server. */
export function SaveState({ state, onLogin }: SaveStateProps) {
  const { text, tone } = saveStateOf(state);
  const away = state.phase === 'retrying';
  const out = state.phase === 'signed-out' || state.phase === 'other-account';
  const trouble = away || out ? undefined : firstTrouble(state);
  return (
    <div className={`save-state save-state-${tone}`}>
      <p role="status" aria-live="polite">
        <Icon name={away ? 'cloud-off' : icons[tone]} />
        <span>
          {text}
          {away || out ? <small>Your answers are kept in this browser.</small> : null}
        </span>
      </p>
      {trouble ? (
        <a
          href={`#${trouble}`}
          onClick={(event) => {
            event.preventDefault();
            document.getElementById(trouble)?.focus();
          }}
        >
          Show
        </a>
      ) : null}
      {out ? (
        <button type="button" className="link-button" onClick={onLogin}>
          Log in
        </button>
      ) : null}
    </div>
  );
}

/** The id of what the person has to look at. */
function firstTrouble(state: State): string | undefined {
  if (state.conflicts.length > 0) return CONFLICTS_ID;
  // In the order of the form, not that of the errors.
  const path = Object.keys(state.answers).find((answer) => openErrors(state)[answer] !== undefined);
  return path && fieldId(path);
}
