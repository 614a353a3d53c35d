import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { FocusEvent, FormEvent, ReactNode } from 'react';
import type { ApplicationProps, Viewer } from '../../api/page';
import { Button, ButtonLink } from '../../ui/button';
import { ErrorSummary, summaryErrors } from '../../ui/error-summary';
import { Notice } from '../../ui/notice';
import { useHydrated } from '../../ui/use-hydrated';
import { navigate } from '../../navigation';
import { ConflictNotice } from './conflict-notice';
import type { FormAccess, OnAnswer } from './fields';
import { SaveState } from './save-state';
import { sectionFields } from './section-fields';
import { SectionList, SectionTag } from './section-list';
import { sections, shownStates } from './sections';
import { openErrors } from './state';
import { typedEarly } from './typed-early';
import { useAutosave } from './use-autosave';

export interface LoginSlot {
  onLoggedIn: () => void;
  onClose: () => void;
}

interface ApplicationFormProps extends ApplicationProps {
  application: NonNullable<ApplicationProps['application']>;
  /** Null when the session has ended under a form that was posted: it then stays a plain form. */
  viewer: Viewer | null;
  /** The login dialog, for a session that ends while someone types. */
  renderLogin: (slot: LoginSlot) => ReactNode;
}

const noErrors = { errors: {} };

export function ApplicationForm({ viewer, renderLogin, ...props }: ApplicationFormProps) {
  const { application, info, choices } = props;
  const applicant = viewer?.email ?? null;
  const [state, autosave] = useAutosave(props, application, applicant);
  const { dispatch } = autosave;
  const hydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const [summary, setSummary] = useState(() => summaryErrors(props.form ?? noErrors));
  const [loginClosed, setLoginClosed] = useState(false);
  const [isGoingOn, setGoingOn] = useState(false);

  // Before the first render of ours would put the stored answers back into the inputs.
  useLayoutEffect(() => {
    const typed = typedEarly(form.current!, autosave.getState().answers);
    for (const [path, answer] of Object.entries(typed)) dispatch({ type: 'answered', path, answer });
  }, [autosave, dispatch]);

  const onAnswer: OnAnswer = useCallback(
    (path, answer) => dispatch({ type: 'answered', path, answer }),
    [dispatch],
  );
  const access: FormAccess = { answers: state.answers, errors: state.errors, onAnswer };
  const errors = useMemo(() => openErrors(state), [state]);
  const states = shownStates(state.sections, errors);
  const asksForProgram = state.phase === 'other-program';
  const needsLogin = state.phase === 'signed-out' || state.phase === 'other-account';

  async function save() {
    await autosave.flush();
    setSummary(summaryErrors({ errors: openErrors(autosave.getState()) }));
  }

  async function check() {
    setGoingOn(true);
    const isSaved = await autosave.saveAll();
    if (isSaved) await navigate(`/${info.path}/application/check`);
    else setSummary(summaryErrors({ errors: openErrors(autosave.getState()) }));
    setGoingOn(false);
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    if (applicant === null) return;
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const [action, index] = ((submitter as HTMLButtonElement | null)?.value ?? 'save').split(':');
    if (action === 'add-previous-employer') dispatch({ type: 'employer added' });
    else if (action === 'remove-previous-employer')
      dispatch({ type: 'employer removed', index: Number(index) });
    else if (action === 'switch-program') resume(true);
    else if (action === 'check') void check();
    else void save();
  }

  function resume(switchProgram: boolean) {
    setLoginClosed(false);
    dispatch(switchProgram ? { type: 'resumed', switchProgram } : { type: 'resumed' });
    void autosave.flush();
  }

  function left(event: FocusEvent<HTMLFormElement>) {
    const input: EventTarget = event.target;
    if (input instanceof HTMLInputElement && input.type === 'text')
      dispatch({ type: 'left', path: input.name });
  }

  return (
    <div className="application">
      <header className="application-head">
        <p className="eyebrow">{info.degree}</p>
        <h1>Your application for the {info.name}</h1>
        {asksForProgram ? null : (
          <p className="hint">
            {hydrated && applicant !== null
              ? 'Your answers are saved as you type. You can stop at any time and come back.'
              : 'Save before you leave this page. You can come back at any time.'}
          </p>
        )}
      </header>
      {applicant === null || asksForProgram ? null : (
        <SaveState state={state} onLogin={() => setLoginClosed(false)} />
      )}
      {asksForProgram ? null : <SectionList states={states} />}
      <form
        className="application-form"
        method="post"
        action={`/${info.path}/application`}
        autoComplete="off"
        noValidate
        ref={form}
        onSubmit={submit}
        onBlur={left}
      >
        {/* Enter in a field presses the first button of a form, which must not be one that removes something. */}
        <button className="visually-hidden" name="_action" value="save" tabIndex={-1} aria-hidden="true">
          Save
        </button>
        <input type="hidden" name="revision" value={state.revision} />
        {Object.keys(errors).length > 0 ? <ErrorSummary errors={summary} /> : null}
        {props.form?.error ? <Notice tone="error">{props.form.error}</Notice> : null}
        {state.refusal ? (
          <Notice tone="error" title="Your last change was not saved" role="alert">
            <p>{state.refusal}</p>
          </Notice>
        ) : null}
        {asksForProgram ? <ProgramQuestion {...props} /> : null}
        <ConflictNotice
          state={state}
          choices={choices}
          onChoose={(path, whose) => dispatch({ type: 'chosen', path, whose })}
        />
        <fieldset hidden={asksForProgram}>
          <legend className="visually-hidden">Your answers</legend>
          {sections.map(({ id, title }) => {
            const Fields = sectionFields[id];
            return (
              <section id={id} key={id} aria-labelledby={`${id}-heading`}>
                <div className="section-head">
                  <h2 id={`${id}-heading`}>{title}</h2>
                  <SectionTag state={states[id]} />
                </div>
                <Fields form={access} choices={choices} />
              </section>
            );
          })}
          <div className="form-actions">
            <Button name="_action" value="check" busy={isGoingOn}>
              Check your answers and submit
            </Button>
            <Button variant="secondary" name="_action" value="save">
              Save
            </Button>
            <ButtonLink variant="quiet" href="/dashboard">
              To your dashboard
            </ButtonLink>
          </div>
        </fieldset>
      </form>
      {needsLogin && !loginClosed
        ? renderLogin({ onLoggedIn: () => resume(false), onClose: () => setLoginClosed(true) })
        : null}
    </div>
  );
}

/** An applicant has one application at a time: which program it is for is asked before anything is changed. */
function ProgramQuestion({ info, otherProgram }: ApplicationProps) {
  const other = otherProgram ?? {
    path: info.path === 'bachelor' ? 'masters' : 'bachelor',
    name: 'other program',
  };
  return (
    <Notice tone="warning" title={`You have started an application for the ${other.name}`} role="alert">
      <p>You can have one application at a time. If you switch it to the {info.name}, your answers stay.</p>
      <div className="form-actions">
        <Button name="_action" value="switch-program">
          Switch to the {info.name}
        </Button>
        <ButtonLink variant="quiet" href={`/${other.path}/application`}>
          Go on with the {other.name}
        </ButtonLink>
      </div>
    </Notice>
  );
}
