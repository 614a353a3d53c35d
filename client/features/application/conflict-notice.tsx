import AlertTitle from '@mui/material/AlertTitle';
import type { Question } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { Notice } from '../../ui/notice';
import { useHydrated } from '../../ui/use-hydrated';
import { answerInWords, labelOf } from './sections';
import type { State } from './state';

export const CONFLICTS_ID = 'conflicts';

interface ConflictNoticeProps {
  state: State;
  questions: Question[];
  onChoose: (path: string, whose: 'mine' | 'theirs') => void;
}

/**
 * Answers that were changed both here and elsewhere, with both versions and a choice: for each, or without JavaScript
 * for all.
 */
export function ConflictNotice({ state, questions, onChoose }: ConflictNoticeProps) {
  const hydrated = useHydrated();
  if (state.conflicts.length === 0) return null;
  return (
    <div className="conflict-notice" id={CONFLICTS_ID} tabIndex={-1}>
      <Notice tone="warning" title="Changed in another tab or on another device" role="alert">
        <p>These answers were saved there while you changed them here. Choose which to keep.</p>
        <ul className="conflicts">
          {state.conflicts.map((path) => (
            <li key={path}>
              <AlertTitle component="p">{labelOf(path, questions)}</AlertTitle>
              <dl>
                <div>
                  <dt>Here</dt>
                  <dd>{answerInWords(path, state.answers, questions)}</dd>
                </div>
                <div>
                  <dt>There</dt>
                  <dd>{answerInWords(path, state.saved, questions)}</dd>
                </div>
              </dl>
              {hydrated ? (
                <div className="form-actions">
                  <Button variant="secondary" type="button" onClick={() => onChoose(path, 'mine')}>
                    Keep mine
                    <span className="visually-hidden">: {labelOf(path, questions)}</span>
                  </Button>
                  <Button variant="secondary" type="button" onClick={() => onChoose(path, 'theirs')}>
                    Use the other
                    <span className="visually-hidden">: {labelOf(path, questions)}</span>
                  </Button>
                </div>
              ) : null}
            </li>
          ))}
        </ul>
        {hydrated ? null : (
          <div className="form-actions">
            <Button variant="secondary" name="_action" value="keep-mine">
              Keep mine
            </Button>
            <Button variant="secondary" name="_action" value="take-theirs">
              Use the other
            </Button>
          </div>
        )}
      </Notice>
    </div>
  );
}
