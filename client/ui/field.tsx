import Checkbox from '@mui/material/Checkbox';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import InputBase from '@mui/material/InputBase';
import NativeSelect from '@mui/material/NativeSelect';
import Radio from '@mui/material/Radio';
import { useMemo, useState } from 'react';
import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react';
import { t } from '../api/texts';
import { grouped } from './format';
import { Icon } from './icon';
import { useHydrated } from './use-hydrated';

/** Returns the id of the input with this name, so that an error summary can link to it. */
export function fieldId(name: string): string {
  return `f-${name}`;
}

interface Labels {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
}

interface FieldIds {
  id: string;
  describedBy: string | undefined;
}

function describe(id: string, hint: ReactNode, error: string | undefined): FieldIds {
  const ids = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return { id, describedBy: ids || undefined };
}

function Hint({ id, children }: { id: string; children: ReactNode }) {
  return children ? <FormHelperText id={`${id}-hint`}>{children}</FormHelperText> : null;
}

interface FieldErrorProps {
  id?: string;
  /** -1 if an error summary links to it because there is no input. */
  tabIndex?: -1;
  children: string | undefined;
}

/** The error of a field, in words and with an icon; between its label and its input. */
export function FieldError({ children, ...rest }: FieldErrorProps) {
  return children ? (
    <FormHelperText {...rest} data-error="">
      <Icon name="error" />
      <span>{children}</span>
    </FormHelperText>
  ) : null;
}

const fieldClass = (more: string | undefined) => (more ? `field ${more}` : 'field');
const marked = (error: string | undefined) => (error ? '' : undefined);

interface FieldProps extends Labels {
  name: string;
  className?: string | undefined;
  children: (ids: FieldIds) => ReactNode;
}

/** Label, hint, error and one control, in this order. */
export function Field({ label, hint, error, name, className, children }: FieldProps) {
  const ids = describe(fieldId(name), hint, error);
  return (
    <FormControl error={Boolean(error)} className={fieldClass(className)} data-invalid={marked(error)}>
      <FormLabel htmlFor={ids.id}>{label}</FormLabel>
      <Hint id={ids.id}>{hint}</Hint>
      <FieldError id={`${ids.id}-error`}>{error}</FieldError>
      {children(ids)}
    </FormControl>
  );
}

/** The React attributes that our inputs accept; id and description come from the field. */
type Attributes<A> = Omit<A, 'name' | 'id' | 'color' | 'size' | 'className'>;

interface TextFieldProps extends Labels, Attributes<InputHTMLAttributes<HTMLInputElement>> {
  name: string;
  /** Class of the whole field. */
  className?: string;
  /**
   * Next to the input: a button that shows the password. Null reserves its place, so that the input keeps its identity
   * and its text when the button appears.
   */
  addon?: ReactNode;
  /** Inside the input, before the text. */
  start?: string;
  /** Below the input. */
  below?: ReactNode;
  /** Makes its id, if another form on the page has a field of the same name. */
  idName?: string;
}

/** A single-line text input. Give `value` and `onChange` to control it, `defaultValue` to leave it to the browser. */
export function TextField(props: TextFieldProps) {
  const { label, hint, error, addon, className, start, below, idName, ...input } = props;
  return (
    <Field label={label} hint={hint} error={error} name={idName ?? input.name} className={className}>
      {({ id, describedBy }) => {
        const control = (
          <InputBase
            type={input.type ?? 'text'}
            startAdornment={
              start ? (
                <span className="input-start" aria-hidden="true">
                  {start}
                </span>
              ) : undefined
            }
            inputProps={{
              ...input,
              id,
              'aria-describedby': describedBy,
              'aria-invalid': error ? true : undefined,
            }}
          />
        );
        if (addon !== undefined) {
          return (
            <div className="with-addon">
              {control}
              {addon}
            </div>
          );
        }
        return (
          <>
            {control}
            {below}
          </>
        );
      }}
    </Field>
  );
}

/** Common props of all email inputs. */
export const emailInput = {
  label: t('Email'),
  type: 'email',
  inputMode: 'email',
  autoCapitalize: 'none',
  spellCheck: false,
  required: true,
} as const;

interface TextAreaProps extends Labels, Attributes<TextareaHTMLAttributes<HTMLTextAreaElement>> {
  name: string;
  className?: string;
  /** Maximum number of characters. Longer text is reported, never cut: its author should shorten it. */
  maxLength?: number | undefined;
}

/** A multi-line text input. */
export function TextArea({ label, hint, error, className, maxLength, ...textarea }: TextAreaProps) {
  const [typed, setTyped] = useState(String(textarea.value ?? textarea.defaultValue ?? ''));
  const text = textarea.value === undefined ? typed : String(textarea.value);
  return (
    <Field label={label} hint={hint} error={error} name={textarea.name} className={className}>
      {({ id, describedBy }) => (
        <>
          <InputBase
            // Not `multiline`: its textarea measures itself and sets its own styles.
            inputComponent="textarea"
            inputProps={{
              rows: 4,
              ...(textarea as object),
              id,
              type: undefined,
              'aria-describedby':
                maxLength === undefined ? describedBy : `${describedBy ?? ''} ${id}-count`.trim(),
              'aria-invalid': error ? true : undefined,
            }}
            onInput={(event) => setTyped((event.target as HTMLTextAreaElement).value)}
          />
          {maxLength === undefined ? null : <Count id={`${id}-count`} text={text} most={maxLength} />}
        </>
      )}
    </Field>
  );
}

/** The length of a text, as the server counts it, and any excess. Announced only if it is too long. */
function Count({ id, text, most }: { id: string; text: string; most: number }) {
  // Counting requires JavaScript.
  const counts = useHydrated();
  const length = [...text.trim()].length;
  const over = counts ? length - most : 0;
  return (
    <FormHelperText id={id} data-count="" data-over={over > 0 ? '' : undefined}>
      {over > 0 ? (
        <span role="status">{t`Too long by ${grouped(over)} characters`}</span>
      ) : (
        <>
          {t`At most ${grouped(most)} characters`}
          {counts ? ` (${grouped(length)})` : null}
        </>
      )}
    </FormHelperText>
  );
}

interface SelectFieldProps extends Labels, Attributes<SelectHTMLAttributes<HTMLSelectElement>> {
  name: string;
  /** Neighbours of the same group are below its name. */
  options: { value: string; label: string; group?: string }[];
  className?: string;
}

const Chevron = ({ className }: { className?: string }) => <Icon name="chevron" className={className} />;
const selectInput = <InputBase />;

type Options = SelectFieldProps['options'];

function optionElement({ value, label }: Options[number]) {
  return (
    <option key={value} value={value}>
      {label}
    </option>
  );
}

/**
 * Number of options from which they are rendered as HTML. React would create an element for each, only to find it
 * already there.
 */
const LONG = 40;

/** Escapes text as React does. */
const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#x27;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** Returns what is before and after an option, if it is the first or the last one of its group. */
export function groupAround(options: Options, index: number): { before: string; after: string } {
  const group = options[index]?.group;
  if (group === undefined) return { before: '', after: '' };
  return {
    before: group === options[index - 1]?.group ? '' : `<optgroup label="${escaped(group)}">`,
    after: group === options[index + 1]?.group ? '' : '</optgroup>',
  };
}

/** Returns the content of a select. */
function useOptions(options: Options, chosen: unknown) {
  const [initial] = useState(chosen);
  return useMemo(() => {
    if (options.length < LONG && options.every(({ group }) => group === undefined))
      return { children: options.map(optionElement) };
    const html = options.map(({ value, label }, index) => {
      const selected = value === initial ? ' selected=""' : '';
      const { before, after } = groupAround(options, index);
      return `${before}<option value="${escaped(value)}"${selected}>${escaped(label)}</option>${after}`;
    });
    return { dangerouslySetInnerHTML: { __html: html.join('') } };
  }, [options, initial]);
}

export function SelectField({ label, hint, error, options, className, ...select }: SelectFieldProps) {
  const inside = useOptions(options, select.value ?? select.defaultValue);
  return (
    <Field label={label} hint={hint} error={error} name={select.name} className={className}>
      {({ id, describedBy }) => (
        <NativeSelect
          input={selectInput}
          IconComponent={Chevron}
          inputProps={{
            ...select,
            id,
            'aria-describedby': describedBy,
            'aria-invalid': error ? true : undefined,
            ...inside,
          }}
        />
      )}
    </Field>
  );
}

interface ChoiceInputProps extends Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'color' | 'size' | 'className'
> {
  type: 'checkbox' | 'radio';
  label: ReactNode;
  hint?: ReactNode;
}

/** A checkbox or radio button, large enough for a thumb, with its label beside it. */
export function ChoiceInput({ type, label, hint, id, ...input }: ChoiceInputProps) {
  const described = hint && id ? `${id}-hint` : undefined;
  const { name, value, checked, defaultChecked, disabled, required, onChange, ...attributes } = input;
  const Control = type === 'radio' ? Radio : Checkbox;
  return (
    <FormControlLabel
      disableTypography
      control={
        <Control
          {...{ id, name, value, checked, defaultChecked, disabled, onChange }}
          slotProps={{ input: { 'aria-describedby': described, ...attributes, required } }}
        />
      }
      label={
        <span>
          {label}
          {hint ? (
            <span className="choice-hint" id={described}>
              {hint}
            </span>
          ) : null}
        </span>
      }
    />
  );
}

interface CheckboxFieldProps extends Omit<ChoiceInputProps, 'type' | 'id'> {
  name: string;
  error?: string | undefined;
}

/** A single checkbox that can have an error. */
export function CheckboxField({ label, error, ...input }: CheckboxFieldProps) {
  const { id, describedBy } = describe(fieldId(input.name), undefined, error);
  return (
    <FormControl className="field" data-invalid={marked(error)}>
      <FieldError id={`${id}-error`}>{error}</FieldError>
      <div className="choices">
        <ChoiceInput
          {...input}
          type="checkbox"
          id={id}
          label={label}
          aria-describedby={describedBy}
          aria-invalid={error ? true : undefined}
        />
      </div>
    </FormControl>
  );
}

interface ChoiceFieldProps extends Labels {
  name: string;
  role?: 'radiogroup';
  className?: string;
  children: (ids: FieldIds) => ReactNode;
}

/** `Field` for a question whose answers are separate controls. */
export function ChoiceField({ label, hint, error, name, role, className, children }: ChoiceFieldProps) {
  const ids = describe(fieldId(name), hint, error);
  return (
    <FormControl
      component="fieldset"
      className={fieldClass(className)}
      data-invalid={marked(error)}
      role={role}
      aria-describedby={ids.describedBy}
      aria-invalid={role && error ? true : undefined}
    >
      <FormLabel component="legend">{label}</FormLabel>
      <Hint id={ids.id}>{hint}</Hint>
      <FieldError id={`${ids.id}-error`}>{error}</FieldError>
      {children(ids)}
    </FormControl>
  );
}

interface YesNoProps extends Labels {
  name: string;
  /** Null if nothing is chosen yet. */
  value: boolean | null;
  onChange: (value: boolean) => void;
}

/** A yes/no question as two large choices; submitted as `yes` or `no`. */
export function YesNo({ value, onChange, ...question }: YesNoProps) {
  const choice = (answer: boolean) => ({
    type: 'radio' as const,
    name: question.name,
    value: answer ? 'yes' : 'no',
    checked: value === answer,
    onChange: () => onChange(answer),
  });
  return (
    <ChoiceField {...question} role="radiogroup">
      {({ id }) => (
        <div className="choices choices-pair">
          <ChoiceInput {...choice(true)} id={id} label="Yes" />
          <ChoiceInput {...choice(false)} id={`${id}-no`} label="No" />
        </div>
      )}
    </ChoiceField>
  );
}

/** One of several options. */
export interface Choice {
  value: string;
  label: string;
  hint?: string;
}

interface CheckboxListProps extends Labels {
  name: string;
  choices: Choice[];
  value: string[];
  onChange: (value: string[]) => void;
}

/** Any number of choices. The changed value is in the order of `choices`. */
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
            <ChoiceInput
              key={choice.value}
              type="checkbox"
              // The error summary links to the first one.
              id={index === 0 ? id : `${id}-${choice.value}`}
              name={question.name}
              value={choice.value}
              checked={value.includes(choice.value)}
              onChange={(event) => toggle(choice.value, event.currentTarget.checked)}
              label={choice.label}
              hint={choice.hint}
            />
          ))}
        </div>
      )}
    </ChoiceField>
  );
}
