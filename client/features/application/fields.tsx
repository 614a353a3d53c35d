// The form's inputs, one for each kind of answer. They are memoised: typing into one of sixty inputs renders only that
// one, and not two lists of all countries.

import { memo } from 'react';
import type { ReactNode } from 'react';
import { countryOptions, stateOptions } from '../../ui/country-options';
import { CheckboxList, SelectField, TextArea, TextField, YesNo, type Choice } from '../../ui/field';
import { useHydrated } from '../../ui/use-hydrated';
import { isOpen, type Answers } from './answers';
import type { Gate } from './table';

export type OnAnswer = (path: string, answer: string | string[]) => void;

/** The form's interface to its inputs. */
export interface FormAccess {
  answers: Answers;
  errors: Record<string, string>;
  onAnswer: OnAnswer;
}

interface Common {
  /** The answer's path, which is also the input's name. */
  path: string;
  label: string;
  hint?: string;
  error: string | undefined;
  onAnswer: OnAnswer;
}

interface One extends Common {
  answer: string;
}

/** Returns what the input at `path` needs from the form. */
export function one(form: FormAccess, path: string) {
  return {
    path,
    answer: String(form.answers[path] ?? ''),
    error: form.errors[path],
    onAnswer: form.onAnswer,
  };
}

const none: string[] = [];

export function several(form: FormAccess, path: string) {
  const answer = form.answers[path];
  return {
    path,
    answers: Array.isArray(answer) ? answer : none,
    error: form.errors[path],
    onAnswer: form.onAnswer,
  };
}

export const TextAnswer = memo(function TextAnswer({ path, answer, onAnswer, ...labels }: One) {
  return (
    <TextField
      {...labels}
      name={path}
      value={answer}
      onChange={(event) => onAnswer(path, event.currentTarget.value)}
    />
  );
});

export const LongAnswer = memo(function LongAnswer({
  path,
  answer,
  onAnswer,
  ...labels
}: One & { maxLength: number }) {
  return (
    <TextArea
      {...labels}
      name={path}
      rows={6}
      value={answer}
      onChange={(event) => onAnswer(path, event.currentTarget.value)}
    />
  );
});

export const DateAnswer = memo(function DateAnswer({
  path,
  answer,
  onAnswer,
  ...labels
}: One & { min?: string | undefined; max?: string | undefined }) {
  return (
    <TextField
      {...labels}
      type="date"
      name={path}
      value={answer}
      onChange={(event) => onAnswer(path, event.currentTarget.value)}
    />
  );
});

export const WholeAnswer = memo(function WholeAnswer({ path, answer, onAnswer, ...labels }: One) {
  return (
    <TextField
      {...labels}
      name={path}
      inputMode="numeric"
      autoComplete="off"
      value={answer}
      // The default is 0: typing replaces it rather than appending to it.
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => onAnswer(path, event.currentTarget.value)}
    />
  );
});

export const MoneyAnswer = memo(function MoneyAnswer({ path, answer, onAnswer, ...labels }: One) {
  return (
    <TextField
      {...labels}
      className="money"
      start="$"
      inputMode="decimal"
      autoComplete="off"
      name={path}
      value={answer}
      onChange={(event) => onAnswer(path, event.currentTarget.value)}
    />
  );
});

export const ChoiceAnswer = memo(function ChoiceAnswer({
  path,
  answer,
  options,
  onAnswer,
  ...labels
}: One & { options: { value: string; label: string }[] }) {
  return (
    <SelectField
      {...labels}
      name={path}
      options={options}
      value={answer}
      onChange={(event) => onAnswer(path, event.currentTarget.value)}
    />
  );
});

export function CountryAnswer(props: One) {
  return <ChoiceAnswer {...props} options={countryOptions} />;
}

export function StateAnswer(props: One) {
  return <ChoiceAnswer {...props} options={stateOptions} />;
}

export const YesNoAnswer = memo(function YesNoAnswer({ path, answer, onAnswer, ...labels }: One) {
  return (
    <YesNo
      {...labels}
      name={path}
      value={answer === '' ? null : answer === 'yes'}
      onChange={(yes) => onAnswer(path, yes ? 'yes' : 'no')}
    />
  );
});

export const SeveralAnswer = memo(function SeveralAnswer({
  path,
  answers,
  onAnswer,
  ...labels
}: Common & { answers: string[]; choices: Choice[] }) {
  return (
    <>
      <OnPage path={path} />
      <CheckboxList {...labels} name={path} value={answers} onChange={(chosen) => onAnswer(path, chosen)} />
    </>
  );
});

/** Tells the server that a list was on the page, even if none of its items is posted. */
export function OnPage({ path }: { path: string }) {
  return <input type="hidden" name={path} value="" />;
}

/**
 * Questions asked only after a certain answer to the previous one. The stylesheet hides them by the state of those
 * inputs, so that it also works without JavaScript; with it, older browsers are supported.
 */
export function AskedWith({ after, form, children }: AskedWithProps) {
  const hydrated = useHydrated();
  return (
    <div className="asked-with" data-after={after.value} hidden={hydrated && !isOpen(after, form.answers)}>
      {children}
    </div>
  );
}

interface AskedWithProps {
  after: Gate;
  form: FormAccess;
  children: ReactNode;
}
