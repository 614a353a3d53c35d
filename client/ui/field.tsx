import { useId, useState } from 'react';
import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes } from 'react';
import type { Choice } from '../api/page';
import { centsToText, textToCents } from './format';
import { Icon } from './icon';

/** The id of the input with this name, so that an error summary can link to it. */
export function fieldId(name: string): string {
  return `f-${name}`;
}

interface Labels {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

interface FieldIds {
  id: string;
  describedBy: string | undefined;
  invalid: true | undefined;
}

function describe(id: string, hint: ReactNode, error: string | undefined): FieldIds {
  const ids = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return { id, describedBy: ids || undefined, invalid: error ? true : undefined };
}

function Hint({ id, children }: { id: string; children: ReactNode }) {
  return children ? (
    <p className="hint" id={`${id}-hint`}>
      {children}
    </p>
  ) : null;
}

function FieldError({ id, children }: { id: string; children: string | undefined }) {
  return children ? (
    <p className="field-error" id={`${id}-error`}>
      <Icon name="error" />
      <span>{children}</span>
    </p>
  ) : null;
}

interface FieldProps extends Labels {
  /** The input's name; without one the field gets an id of its own. */
  name?: string;
  id?: string | undefined;
  className?: string;
  children: (ids: FieldIds) => ReactNode;
}

/** Label, hint, error and one control, in this order. */
export function Field({ label, hint, error, name, id, className, children }: FieldProps) {
  const own = useId();
  const ids = describe(id ?? (name ? fieldId(name) : own), hint, error);
  return (
    <div className={`field${error ? ' field-invalid' : ''}${className ? ` ${className}` : ''}`}>
      <label htmlFor={ids.id}>{label}</label>
      <Hint id={ids.id}>{hint}</Hint>
      <FieldError id={ids.id}>{error}</FieldError>
      {children(ids)}
    </div>
  );
}

interface TextFieldProps extends Labels, Omit<InputHTMLAttributes<HTMLInputElement>, 'name'> {
  name: string;
  /** A class of the whole field, not of the input. */
  fieldClassName?: string;
  /** Stands beside the input: a unit, a button that shows the password. */
  addon?: ReactNode;
}

/** One line of text. Give `value` and `onChange` to control it, `defaultValue` to leave it to the browser. */
export function TextField({ label, hint, error, id, fieldClassName, addon, ...input }: TextFieldProps) {
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      name={input.name}
      id={id}
      {...(fieldClassName ? { className: fieldClassName } : {})}
    >
      {(ids) => {
        const control = (
          <input
            type="text"
            {...input}
            id={ids.id}
            aria-describedby={ids.describedBy}
            aria-invalid={ids.invalid}
          />
        );
        return addon ? (
          <div className="with-addon">
            {control}
            {addon}
          </div>
        ) : (
          control
        );
      }}
    </Field>
  );
}

interface SelectFieldProps extends Labels, Omit<SelectHTMLAttributes<HTMLSelectElement>, 'name'> {
  name: string;
  options: { value: string; label: string }[];
  fieldClassName?: string;
}

export function SelectField({
  label,
  hint,
  error,
  id,
  options,
  fieldClassName,
  ...select
}: SelectFieldProps) {
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      name={select.name}
      id={id}
      {...(fieldClassName ? { className: fieldClassName } : {})}
    >
      {(ids) => (
        <select {...select} id={ids.id} aria-describedby={ids.describedBy} aria-invalid={ids.invalid}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface YesNoProps {
  legend: string;
  name: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** null: not answered yet. With `onChange` the answer is controlled, without it only the first one. */
  value?: boolean | null;
  defaultValue?: boolean | null;
  onChange?: (value: boolean) => void;
}

/** A yes/no question as two large choices; travels as `yes` or `no`. */
export function YesNo({ legend, name, hint, error, value, defaultValue, onChange }: YesNoProps) {
  const ids = describe(fieldId(name), hint, error);
  const controlled = onChange !== undefined && value !== undefined;
  const initial = value ?? defaultValue ?? null;
  const choice = (answer: boolean) => ({
    type: 'radio' as const,
    name,
    value: answer ? 'yes' : 'no',
    ...(controlled ? { checked: value === answer } : { defaultChecked: initial === answer }),
    onChange: () => onChange?.(answer),
  });
  return (
    <fieldset
      className={`field${error ? ' field-invalid' : ''}`}
      role="radiogroup"
      aria-describedby={ids.describedBy}
      aria-invalid={ids.invalid}
    >
      <legend>{legend}</legend>
      <Hint id={ids.id}>{hint}</Hint>
      <FieldError id={ids.id}>{error}</FieldError>
      <div className="choices choices-pair">
        <label className="choice">
          <input {...choice(true)} id={ids.id} />
          <span>Yes</span>
        </label>
        <label className="choice">
          <input {...choice(false)} id={`${ids.id}-no`} />
          <span>No</span>
        </label>
      </div>
    </fieldset>
  );
}

interface CheckboxListProps {
  legend: string;
  name: string;
  choices: Choice[];
  hint?: ReactNode;
  error?: string | undefined;
  /** With `onChange` the choice is controlled, without it only the first one. */
  value?: string[];
  defaultValue?: string[];
  onChange?: (value: string[]) => void;
}

/** Any number of choices. Their order in `value` is the order of `choices`. */
export function CheckboxList(props: CheckboxListProps) {
  const { legend, name, choices, hint, error, value, defaultValue, onChange } = props;
  const ids = describe(fieldId(name), hint, error);
  const controlled = onChange !== undefined && value !== undefined;
  const initial = value ?? defaultValue ?? [];
  const [own, setOwn] = useState(initial);
  const chosen = controlled ? value : own;

  function toggle(toggled: string, on: boolean) {
    const next = choices
      .map((choice) => choice.value)
      .filter((candidate) => (candidate === toggled ? on : chosen.includes(candidate)));
    if (!controlled) setOwn(next);
    onChange?.(next);
  }

  return (
    <fieldset className={`field${error ? ' field-invalid' : ''}`} aria-describedby={ids.describedBy}>
      <legend>{legend}</legend>
      <Hint id={ids.id}>{hint}</Hint>
      <FieldError id={ids.id}>{error}</FieldError>
      <div className="choices">
        {choices.map((choice, index) => {
          const id = index === 0 ? ids.id : `${ids.id}-${choice.value}`;
          return (
            <label className="choice" key={choice.value}>
              <input
                type="checkbox"
                id={id}
                name={name}
                value={choice.value}
                aria-describedby={choice.hint ? `${ids.id}-${choice.value}-hint` : undefined}
                {...(controlled
                  ? { checked: chosen.includes(choice.value) }
                  : { defaultChecked: initial.includes(choice.value) })}
                onChange={(event) => toggle(choice.value, event.currentTarget.checked)}
              />
              <span>
                {choice.label}
                {choice.hint ? (
                  <span className="choice-hint" id={`${ids.id}-${choice.value}-hint`}>
                    {choice.hint}
                  </span>
                ) : null}
              </span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}

interface MoneyFieldProps extends Labels {
  name: string;
  /** The stored amount. When it changes to something else than what was typed, the text follows. */
  cents?: number | null;
  /** What was typed, when a form came back with an error. Wins over `cents`. */
  defaultText?: string;
  onChange?: (text: string) => void;
}

/** Dollars as people type them; `textToCents` reads them. */
export function MoneyField({ label, name, hint, error, cents, defaultText, onChange }: MoneyFieldProps) {
  const stored = cents ?? null;
  const [seen, setSeen] = useState(stored);
  const [text, setText] = useState(defaultText ?? (stored === null ? '' : centsToText(stored)));

  if (seen !== stored) {
    setSeen(stored);
    if (stored !== null && stored !== textToCents(text)) setText(centsToText(stored));
  }

  return (
    <Field label={label} hint={hint} error={error} name={name}>
      {(ids) => (
        <div className="money">
          <span aria-hidden="true">$</span>
          <input
            type="text"
            inputMode="decimal"
            autoComplete="off"
            id={ids.id}
            name={name}
            aria-describedby={ids.describedBy}
            aria-invalid={ids.invalid}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              onChange?.(event.currentTarget.value);
            }}
          />
        </div>
      )}
    </Field>
  );
}
