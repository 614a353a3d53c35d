import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { FocusEvent, FormEvent } from 'react';
import { useNavigate } from 'react-router';
import type { ApplicationProps, SectionId } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Button, ButtonLink } from '../../ui/button';
import { ErrorSummary, type SummaryError } from '../../ui/error-summary';
import { Notice } from '../../ui/notice';
import { useHydrated } from '../../ui/use-hydrated';
import type { Autosave } from './autosave';
import { ConflictNotice } from './conflict-notice';
import type { FormAccess, OnAnswer } from './fields';
import { hrefAfter } from './own-pages';
import { SectionFields } from './section-fields';
import { answerHref, checkHref, listHref, neighbour, openSections, sectionHref, sectionOf } from './sections';
import { openErrors, type State } from './state';
import { typedEarly } from './typed-early';

interface SectionFormProps extends ApplicationProps {
  section: SectionId;
  state: State;
  autosave: Autosave;
  /** Of all sections. */
  errors: Record<string, string>;
  /** The session has ended: the form is posted, and nothing is saved automatically. */
  isPlain: boolean;
}

/**
 * Milliseconds to wait for the save before going to the next section; on a slow connection it finishes in the
 * background.
 */
const PATIENCE = 2000;

export function SectionForm({ section, state, autosave, errors, isPlain, ...props }: SectionFormProps) {
  const { info, questionnaire, fromCheck } = props;
  const { dispatch } = autosave;
  const navigate = useNavigate();
  const hydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const [summary, setSummary] = useState<SummaryError[]>(() =>
    errorsOf(props.form?.errors ?? {}, props.info, section),
  );
  const [isGoingOn, setGoingOn] = useState(false);
  const next = hrefAfter(props, section);
  const previous = neighbour(openSections(props.changes), section, -1);

  // Runs before our first render would put the stored answers back into the inputs.
  useLayoutEffect(() => {
    const typed = typedEarly(form.current!, autosave.getState().answers);
    for (const [path, answer] of Object.entries(typed)) dispatch({ type: 'answered', path, answer });
  }, [autosave, dispatch]);

  const onAnswer: OnAnswer = useCallback(
    (path, answer) => dispatch({ type: 'answered', path, answer }),
    [dispatch],
  );
  const access: FormAccess = { answers: state.answers, errors: state.errors, onAnswer };

  async function goOn(href: string) {
    setGoingOn(true);
    const save = autosave.saveSection(section);
    // What is checked and submitted is the server's version; between sections the save may finish later.
    const mustBeSaved = href === checkHref(info);
    await (mustBeSaved ? save : Promise.race([save, new Promise((wake) => setTimeout(wake, PATIENCE))]));
    const now = autosave.getState();
    const open = Object.entries(openErrors(now)).filter(
      ([path]) => mustBeSaved || sectionOf(path) === section,
    );
    const isStopped =
      open.length > 0 ||
      now.conflicts.length > 0 ||
      !['idle', 'saving', 'retrying'].includes(now.phase) ||
      (mustBeSaved && !autosave.isWell());
    if (isStopped) setSummary(errorsOf(Object.fromEntries(open), info, section));
    else await navigate(href);
    setGoingOn(false);
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    if (isPlain) return;
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const [action, index] = ((submitter as HTMLButtonElement | null)?.value ?? '').split(':');
    if (action === 'add-previous-employer') dispatch({ type: 'employer added' });
    else if (action === 'remove-previous-employer')
      dispatch({ type: 'employer removed', index: Number(index) });
    else void goOn(action === 'save' ? listHref(info) : next);
  }

  function left(event: FocusEvent<HTMLFormElement>) {
    const input: EventTarget = event.target;
    if (input instanceof HTMLInputElement && input.type === 'text')
      dispatch({ type: 'left', path: input.name });
  }

  return (
    <form
      className="application-form"
      method="post"
      action={`${sectionHref(info, section)}${fromCheck ? '?from=check' : ''}`}
      autoComplete="off"
      noValidate
      data-saves-itself
      ref={form}
      onSubmit={submit}
      onBlur={left}
    >
      {/* Pressing Enter in a field activates the form's first button, which must not be one that removes something. */}
      <button className="visually-hidden" name="_action" value="continue" tabIndex={-1} aria-hidden="true">
        Save and continue
      </button>
      <input type="hidden" name="revision" value={state.revision} />
      {Object.keys(errors).length > 0 ? <ErrorSummary errors={summary} /> : null}
      {props.form?.error ? <Notice tone="error">{props.form.error}</Notice> : null}
      {state.refusal ? (
        <Notice tone="error" title="Your last change was not saved" role="alert">
          <p>{state.refusal}</p>
          <p>
            <a href={listHref(info)}>See your application as it is now</a>
          </p>
        </Notice>
      ) : null}
      <ConflictNotice
        state={state}
        questions={questionnaire.questions}
        onChoose={(path, whose) => dispatch({ type: 'chosen', path, whose })}
      />
      <SectionFields
        section={section}
        form={access}
        questionnaire={questionnaire}
        answeredVersion={props.application?.data.questionnaire.version ?? 0}
      />
      <div className="form-actions">
        <Button name="_action" value="continue" busy={isGoingOn}>
          {next === checkHref(info) ? t('Save and check your answers') : t('Save and continue')}
        </Button>
        <Button variant="secondary" name="_action" value="save">
          Save and see all sections
        </Button>
        <ButtonLink variant="quiet" href={previous ? sectionHref(info, previous.id) : listHref(info)}>
          Back
          <span className="visually-hidden"> to {previous ? previous.title : t('all sections')}</span>
        </ButtonLink>
      </div>
      <p className="hint">
        {hydrated && !isPlain
          ? t('Your answers are saved as you type. You can stop at any time and come back.')
          : t('Save before you leave this page. You can come back at any time.')}
      </p>
    </form>
  );
}

/** Errors of other sections link there. */
function errorsOf(
  found: Record<string, string>,
  info: ApplicationProps['info'],
  section: SectionId,
): SummaryError[] {
  return Object.entries(found).map(([name, message]) =>
    sectionOf(name) === section ? { name, message } : { name, message, href: answerHref(info, name) },
  );
}
