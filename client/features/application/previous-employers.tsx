import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { t } from '../../api/texts';
import { EmployerRoot } from '../../theme/parts/employer';
import { Button } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { fieldId, FieldError } from '../../ui/field';
import { Icon } from '../../ui/icon';
import { employerCount, MAX_PREVIOUS_EMPLOYERS, PREVIOUS_EMPLOYERS } from './answers';
import { OnPage, type FormAccess } from './fields';

interface PreviousEmployersProps {
  form: FormAccess;
  /** Renders the fields of the employer whose answers are under `path`. */
  children: (path: string) => ReactNode;
}

interface FoldedProps {
  form: FormAccess;
  path: string;
  /** The only employer, so that folding it would save no space. */
  isOne: boolean;
  children: ReactNode;
}

/** The answers about one employer: folded into a line if complete when the page loads, open from then on. */
function Folded({ form, path, isOne, children }: FoldedProps) {
  const text = (name: string) => String(form.answers[`${path}.${name}`] ?? '').trim();
  const isComplete = text('name') !== '' && text('jobTitle') !== '' && Number(text('hoursPerWeek')) > 0;
  const hasError = Object.keys(form.errors).some((error) => error.startsWith(`${path}.`));
  const [isOpen, setOpen] = useState(isOne || !isComplete || hasError);
  if (hasError && !isOpen) setOpen(true);
  return (
    <Disclosure
      root={EmployerRoot}
      className="employer"
      open={isOpen || hasError}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      summary={
        <>
          {isComplete ? `${text('name')}, ${text('jobTitle')}` : t('About this employer')}
          <span aria-hidden="true">Change</span>
        </>
      }
    >
      {children}
    </Disclosure>
  );
}

const ADD_ID = 'add-previous-employer';

/** A list that is edited with submit buttons, which the form handles in place if there is JavaScript. */
export function PreviousEmployers({ form, children }: PreviousEmployersProps) {
  const count = employerCount(form.answers);
  const error = form.errors[PREVIOUS_EMPLOYERS];
  const pressed = useRef(false);
  const before = useRef(count);

  // After a button of the list was pressed, moves the focus to the new employer, or to the add button.
  useEffect(() => {
    if (pressed.current && count !== before.current) {
      const target = count > before.current ? fieldId(`${PREVIOUS_EMPLOYERS}.${count - 1}.name`) : ADD_ID;
      document.getElementById(target)?.focus();
    }
    pressed.current = false;
    before.current = count;
  }, [count]);

  const press = () => {
    pressed.current = true;
  };

  return (
    <div id={fieldId(PREVIOUS_EMPLOYERS)} tabIndex={-1}>
      <OnPage path={PREVIOUS_EMPLOYERS} />
      <FieldError>{error}</FieldError>
      {Array.from({ length: count }, (_, index) => (
        // Rows are controlled by their path and have no state.
        <fieldset className="answer-group" key={index}>
          <legend>Previous employer {index + 1}</legend>
          <Folded form={form} path={`${PREVIOUS_EMPLOYERS}.${index}`} isOne={count === 1}>
            {children(`${PREVIOUS_EMPLOYERS}.${index}`)}
          </Folded>
          <Button
            variant="quiet"
            className="employer-remove"
            name="_action"
            value={`remove-previous-employer:${index}`}
            onClick={press}
          >
            <Icon name="trash" />
            Remove
            <span className="visually-hidden"> previous employer {index + 1}</span>
          </Button>
        </fieldset>
      ))}
      {count < MAX_PREVIOUS_EMPLOYERS ? (
        <Button variant="secondary" id={ADD_ID} name="_action" value="add-previous-employer" onClick={press}>
          {count === 0 ? t('Add an employer') : t('Add another employer')}
        </Button>
      ) : (
        <p className="hint" id={ADD_ID} tabIndex={-1}>
          That is the most we ask for: {MAX_PREVIOUS_EMPLOYERS} employers.
        </p>
      )}
    </div>
  );
}
