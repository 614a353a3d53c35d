import { useLayoutEffect, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type { ApplicationProps, Page, Viewer } from '../../api/page.gen';
import { t } from '../../api/texts';
import { offerPages } from '../../navigation';
import { Button, ButtonLink } from '../../ui/button';
import { Notice } from '../../ui/notice';
import { ownPage } from './own-pages';
import { SectionForm } from './parts';
import { SectionMenu, SectionNav } from './section-list';
import { SaveState } from './save-state';
import { openSections, shownStates, titleOf } from './sections';
import { openErrors } from './state';
import { TaskList } from './task-list';
import { useAutosave } from './use-autosave';

export interface LoginSlot {
  onLoggedIn: () => void;
  onClose: () => void;
}

export type ApplicationPageOf = Extract<Page, { route: 'application' }>;

interface ApplicationFormProps {
  page: ApplicationPageOf;
  application: NonNullable<ApplicationProps['application']>;
  /** Null if the session has ended under a posted form, which then stays a plain form. */
  viewer: Viewer | null;
  /** Renders the login dialog, for a session that ends while the user is typing. */
  renderLogin: (slot: LoginSlot) => ReactNode;
}

/** The list of sections or one of them. Holds the answers of all, which outlive navigation between sections. */
export function ApplicationForm({ page, application, viewer, renderLogin }: ApplicationFormProps) {
  const { props } = page;
  const { info, section } = props;
  const applicant = viewer?.email ?? null;
  const [state, autosave] = useAutosave(props, application, applicant);
  const [loginClosed, setLoginClosed] = useState(false);
  const errors = useMemo(() => openErrors(state), [state]);
  const states = shownStates(state.sections, errors);
  const open = openSections(props.changes);
  const needsLogin = state.phase === 'signed-out' || state.phase === 'other-account';

  // Navigating to another section keeps what was typed, and works without a network.
  useLayoutEffect(
    () => (applicant === null ? undefined : offerPages(page, (url, isAway) => ownPage(page, url, isAway))),
    [page, applicant],
  );

  function resume(switchProgram: boolean) {
    setLoginClosed(false);
    autosave.dispatch(switchProgram ? { type: 'resumed', switchProgram } : { type: 'resumed' });
    void autosave.flush();
  }

  if (state.phase === 'other-program') {
    return <OtherProgramQuestion {...props} onSwitch={applicant === null ? undefined : () => resume(true)} />;
  }
  const saveState =
    applicant === null ? null : <SaveState info={info} state={state} onLogin={() => setLoginClosed(false)} />;
  return (
    <div className={section ? 'application application-section' : 'application'}>
      <header className="application-head">
        <p className="eyebrow">{info.degree}</p>
        <h1>{section ? titleOf(section) : t`Your application for the ${info.name}`}</h1>
      </header>
      {saveState}
      {section ? (
        <>
          <SectionMenu info={info} sections={open} states={states} current={section} />
          <SectionNav info={info} sections={open} states={states} current={section} />
          <SectionForm
            // Each section is its own form; the answers are kept above.
            key={section}
            {...props}
            section={section}
            state={state}
            autosave={autosave}
            errors={errors}
            isPlain={applicant === null}
          />
        </>
      ) : (
        <TaskList
          {...props}
          state={state}
          states={states}
          autosave={autosave}
          isCurrent={application.revision >= state.revision}
        />
      )}
      {needsLogin && !loginClosed
        ? renderLogin({ onLoggedIn: () => resume(false), onClose: () => setLoginClosed(true) })
        : null}
    </div>
  );
}

type OtherProgramProps = Pick<ApplicationProps, 'info' | 'otherProgram' | 'section' | 'form'> & {
  onSwitch: (() => void) | undefined;
};

/** An applicant has one application at a time: asks which program it is for before changing anything. */
function OtherProgramQuestion({ info, otherProgram, section, form, onSwitch }: OtherProgramProps) {
  const other = otherProgram ?? {
    path: info.path === 'bachelor' ? 'masters' : 'bachelor',
    name: t('other program'),
  };
  return (
    <div className="narrow stack">
      <h1>Your application for the {info.name}</h1>
      <form
        method="post"
        action={section ? `/${info.path}/application/${section}` : `/${info.path}/application`}
        onSubmit={(event) => {
          if (!onSwitch) return;
          event.preventDefault();
          onSwitch();
        }}
      >
        {/* Carries along what was typed on a page posted to the wrong program. */}
        {Object.entries(form?.values ?? {}).map(([name, values]) =>
          [values]
            .flat()
            .map((value) => <input type="hidden" key={`${name} ${value}`} name={name} value={value} />),
        )}
        <Notice tone="warning" title={t`You have started an application for the ${other.name}`} role="alert">
          <p>
            You can have one application at a time. If you switch it to the {info.name}, your answers stay.
          </p>
          <div className="form-actions">
            <Button name="_action" value="switch-program">
              Switch to the {info.name}
            </Button>
            <ButtonLink variant="quiet" href={`/${other.path}/application`}>
              Continue with the {other.name}
            </ButtonLink>
          </div>
        </Notice>
      </form>
    </div>
  );
}
