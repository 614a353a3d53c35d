import { useEffect } from 'react';
import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router';
import type {
  ApplicationProps,
  MissingAnswer,
  SectionId,
  SectionState,
  SectionStates,
} from '../../api/page.gen';
import { t } from '../../api/texts';
import { Lines } from '../../theme/parts/lines';
import { Progress } from '../../theme/parts/progress';
import { TaskLine, TaskLink, TaskName } from '../../theme/parts/tasks';
import { ButtonLink } from '../../ui/button';
import { Notice } from '../../ui/notice';
import { Tag } from '../../ui/tag';
import type { Autosave } from './autosave';
import { ConflictNotice } from './conflict-notice';
import { completeCount, SectionTag } from './section-list';
import { answerHref, checkHref, isComplete, listHref, openSections, sectionHref, sections } from './sections';
import { isUnsaved, type State } from './state';

interface TaskListProps extends ApplicationProps {
  state: State;
  states: SectionStates;
  autosave: Autosave;
  /** Whether the page is based on the latest known revision. */
  isCurrent: boolean;
}

/** Maximum number of missing answers listed per section. */
const TOLD = 3;

/** Id of the declaration on the page that shows all answers. */
export const DECLARATION_ID = 'declaration';

/** All sections with their progress, and the next step. */
export function TaskList({
  info,
  changes,
  state,
  states,
  autosave,
  isCurrent,
  missing,
  refereesLacking,
  questionnaire,
}: TaskListProps) {
  const navigate = useNavigate();
  const isSettled = !isUnsaved(state);
  // A save that finished after this page was created has changed what is missing.
  useEffect(() => {
    if (isCurrent || !isSettled) return;
    void navigate(listHref(info), { replace: true, preventScrollReset: true });
  }, [navigate, info, isCurrent, isSettled]);

  const open = openSections(changes);
  const complete = completeCount(open, states);
  // A missing file or referee belongs to no section.
  const isReady = isComplete(states) && missing.every(({ href }) => href === null);
  // What staff ask to be changed is complete as submitted, but is shown anyway.
  const next = open.find(({ id }) => states[id] !== 'complete') ?? (changes ? open[0] : undefined);

  async function check(event: MouseEvent<HTMLAnchorElement>) {
    if (isSettled || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const { href } = event.currentTarget;
    // The check is of the server's version.
    await autosave.flush();
    await navigate(href);
  }

  return (
    <div className="task-list">
      {changes ? (
        <Notice tone="warning" title={t`Please change your application by ${changes.dueText}`}>
          {changes.message.split('\n').map((line, index) => (
            // Lines of a text keep their order.
            <p key={index}>{line}</p>
          ))}
          <p>The other sections stay as you submitted them.</p>
        </Notice>
      ) : null}
      <div className="task-list-next">
        <p>
          {complete} of {open.length} sections complete
        </p>
        <Progress value={complete} max={open.length} aria-label="Sections complete" />
        <ButtonLink
          href={next ? sectionHref(info, next.id) : checkHref(info)}
          onClick={next ? undefined : (event) => void check(event)}
        >
          {next
            ? `${nextWord(complete, states[next.id])}: ${next.title}`
            : t('Check your answers and submit')}
        </ButtonLink>
      </div>
      <ConflictNotice
        state={state}
        questions={questionnaire.questions}
        onChoose={(path, whose) => autosave.dispatch({ type: 'chosen', path, whose })}
      />
      <section aria-labelledby="sections-heading">
        <h2 id="sections-heading">Sections</h2>
        <Lines component="ol" className="tasks ruled">
          {sections.map(({ id, title }) => (
            <TaskLine key={id}>
              {open.some((section) => section.id === id) ? (
                <>
                  <TaskLink href={sectionHref(info, id)}>{title}</TaskLink>
                  <SectionTag state={states[id]} />
                </>
              ) : (
                <>
                  <TaskName>{title}</TaskName>
                  <Tag shape="check">As submitted</Tag>
                </>
              )}
              {isCurrent && states[id] !== 'not-started' ? (
                <MissingAnswers info={info} missing={missing} section={id} />
              ) : null}
            </TaskLine>
          ))}
        </Lines>
      </section>
      <section aria-labelledby="submit-heading">
        <h2 id="submit-heading">Check and submit</h2>
        <Lines component="ol" className="tasks ruled">
          {refereesLacking !== null ? (
            <TaskLine>
              <TaskLink href="/dashboard/references">Your referees</TaskLink>
              <SectionTag state={refereesLacking > 0 ? 'not-started' : 'complete'} />
            </TaskLine>
          ) : null}
          <TaskLine>
            <TaskLink href={checkHref(info)} onClick={(event) => void check(event)}>
              Check your answers
            </TaskLink>
            {isReady ? <Tag shape="circle">Not started</Tag> : <Tag shape="clock">Answers are missing</Tag>}
          </TaskLine>
          <TaskLine>
            {isReady ? (
              <TaskLink href={`${checkHref(info)}#${DECLARATION_ID}`} onClick={(event) => void check(event)}>
                Declaration
              </TaskLink>
            ) : (
              <TaskName>Declaration</TaskName>
            )}
            {isReady ? <Tag shape="circle">Not started</Tag> : <Tag shape="clock">After all sections</Tag>}
          </TaskLine>
        </Lines>
      </section>
      <p className="hint">
        You can stop at any time and come back: your answers are kept for 12 months after your last change.
      </p>
    </div>
  );
}

function nextWord(complete: number, state: SectionState): string {
  if (state === 'complete') return t('Change');
  return complete === 0 && state === 'not-started' ? t('Begin') : t('Continue');
}

interface MissingAnswersProps {
  info: ApplicationProps['info'];
  missing: MissingAnswer[];
  section: SectionId;
}

function MissingAnswers({ info, missing, section }: MissingAnswersProps) {
  const open = missing.filter((answer) => answer.section === section);
  if (open.length === 0) return null;
  return (
    <ul className="task-missing">
      {open.slice(0, TOLD).map(({ path, sentence, href }) => (
        <li key={path}>
          <a href={href ?? answerHref(info, path)}>{sentence}</a>
        </li>
      ))}
      {open.length > TOLD ? <li>And {open.length - TOLD} more.</li> : null}
    </ul>
  );
}
