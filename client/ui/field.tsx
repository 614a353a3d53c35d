import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react';
import type { Choice } from '../api/page';
import { t } from '../api/texts';
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

function fieldClass(error: string | undefined, more?: string): string {
  return ['field', error ? 'field-invalid' : '', more].filter(Boolean).join(' ');
}

interface FieldProps extends Labels {
  /** The input's name. */
  name: string;
  className?: string | undefined;
  children: (ids: FieldIds) => ReactNode;
}

/** Label, hint, error and one control, in this order. */
export function Field({ label, hint, error, name, className, children }: FieldProps) {
  const ids = describe(fieldId(name), hint, error);
  return (
    <div className={fieldClass(error, className)}>
      <label htmlFor={ids.id}>{label}</label>
      <Hint id={ids.id}>{hint}</Hint>
      <FieldError id={ids.id}>{error}</FieldError>
      {children(ids)}
    </div>
  );
}

interface TextFieldProps extends Labels, Omit<InputHTMLAttributes<HTMLInputElement>, 'name' | 'id'> {
  name: string;
  /** Stands beside the input: a button that shows the password. Null keeps its place, so that the input, and what was
   * typed into it, stays the same when it comes. */
  addon?: ReactNode;
}

/** One line of text. Give `value` and `onChange` to control it, `defaultValue` to leave it to the browser. */
export function TextField({ label, hint, error, addon, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} name={input.name}>
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
        return addon !== undefined ? (
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

/** What every input of an email address has. */
export const emailInput = {
  label: t('Email'),
  type: 'email',
  inputMode: 'email',
  autoCapitalize: 'none',
  spellCheck: false,
  required: true,
} as const;

interface TextAreaProps extends Labels, Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'name' | 'id'> {
  name: string;
}

/** Some lines of text. */
export function TextArea({ label, hint, error, ...textarea }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error} name={textarea.name}>
      {(ids) => (
        <textarea
          rows={4}
          {...textarea}
          id={ids.id}
          aria-describedby={ids.describedBy}
          aria-invalid={ids.invalid}
        />
      )}
    </Field>
  );
}

interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'name' | 'id' | 'type'> {
  name: string;
  label: ReactNode;
  error?: string | undefined;
}

/** One box to tick, with its own words beside it. */
export function Checkbox({ label, error, ...input }: CheckboxProps) {
  const ids = describe(fieldId(input.name), undefined, error);
  return (
    <div className={fieldClass(error)}>
      <FieldError id={ids.id}>{error}</FieldError>
      <div className="choices">
        <label className="choice">
          <input
            {...input}
            type="checkbox"
            id={ids.id}
            aria-describedby={ids.describedBy}
            aria-invalid={ids.invalid}
          />
          <span>{label}</span>
        </label>
      </div>
    </div>
  );
}

interface SelectFieldProps extends Labels, Omit<SelectHTMLAttributes<HTMLSelectElement>, 'name' | 'id'> {
  name: string;
  options: { value: string; label: string }[];
  /** A class of the whole field, not of the select. */
  fieldClassName?: string;
}

/** A list is worth remembering from this many options on: a short one is sooner made again than looked up. */
const LONG = 50;

/** The options of long lists that are the same from one render to the next; React passes over what is the very same. */
const renderedOptions = new WeakMap<SelectFieldProps['options'], ReactNode[]>();

function rendered(options: SelectFieldProps['options']): ReactNode[] {
  if (options.length < LONG) return options.map(optionElement);
  let elements = renderedOptions.get(options);
  if (!elements) {
    elements = options.map(optionElement);
    renderedOptions.set(options, elements);
  }
  return elements;
}

function optionElement({ value, label }: SelectFieldProps['options'][number]) {
  return (
    <option key={value} value={value}>
      {label}
    </option>
  );
}

export function SelectField({ label, hint, error, options, fieldClassName, ...select }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} name={select.name} className={fieldClassName}>
      {(ids) => (
        <select {...select} id={ids.id} aria-describedby={ids.describedBy} aria-invalid={ids.invalid}>
          {rendered(options)}
        </select>
      )}
    </Field>
  );
}

interface ChoiceFieldProps extends Labels {
  name: string;
  role?: 'radiogroup';
  children: (ids: FieldIds) => ReactNode;
}

/** `Field` for a question whose answers are controls of their own. */
function ChoiceField({ label, hint, error, name, role, children }: ChoiceFieldProps) {
  const ids = describe(fieldId(name), hint, error);
  return (
    <fieldset
      className={fieldClass(error)}
      role={role}
      aria-describedby={ids.describedBy}
      aria-invalid={role ? ids.invalid : undefined}
    >
      <legend>{label}</legend>
      <Hint id={ids.id}>{hint}</Hint>
      <FieldError id={ids.id}>{error}</FieldError>
      {children(ids)}
    </fieldset>
  );
}

interface YesNoProps extends Labels {
  name: string;
  /** Null where nothing is chosen yet. */
  value: boolean | null;
  onChange: (value: boolean) => void;
}

/** A yes/no question as two large choices; travels as `yes` or `no`. */
export function YesNo({ value, onChange, ...question }: YesNoProps) {
  const choice = (answer: boolean) => ({
    type: 'radio',
    name: question.name,
    value: answer ? 'yes' : 'no',
    checked: value === answer,
    onChange: () => onChange(answer),
  });
  return (
    <ChoiceField {...question} role="radiogroup">
      {({ id }) => (
        <div className="choices choices-pair">
          <label className="choice">
            <input {...choice(true)} id={id} />
            <span>Yes</span>
          </label>
          <label className="choice">
            <input {...choice(false)} id={`${id}-no`} />
            <span>No</span>
          </label>
        </div>
      )}
    </ChoiceField>
  );
}

interface CheckboxListProps extends Labels {
  name: string;
  choices: Choice[];
  value: string[];
  onChange: (value: string[]) => void;
}

/** Any number of choices. Their order in the changed value is the order of `choices`. */
export function CheckboxList({ choices, value, onChange, ...question }: CheckboxListProps) {
  function toggle(toggled: string, on: boolean) {
    const values = choices.map((choice) => choice.value);
    onChange(values.filter((each) => (each === toggled ? on : value.includes(each))));
  }

  return (
    <ChoiceField {...question}>
      {({ id }) => (
        <div className="choices">
          {choices.map((choice, index) => (
            <label className="choice" key={choice.value}>
              <input
                type="checkbox"
                // The first one is where an error summary leads.
                id={index === 0 ? id : `${id}-${choice.value}`}
                name={question.name}
                value={choice.value}
                aria-describedby={choice.hint ? `${id}-${choice.value}-hint` : undefined}
                checked={value.includes(choice.value)}
                onChange={(event) => toggle(choice.value, event.currentTarget.checked)}
              />
              <span>
                {choice.label}
                {choice.hint ? (
                  <span className="choice-hint" id={`${id}-${choice.value}-hint`}>
                    {choice.hint}
                  </span>
                ) : null}
              </span>
            </label>
          ))}
        </div>
      )}
    </ChoiceField>
  );
}
