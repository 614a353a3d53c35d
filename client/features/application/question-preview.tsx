import { useCallback, useState } from 'react';
import type { FormState, Question } from '../../api/page.gen';
import type { OnAnswer } from './fields';
import { ProgramQuestion } from './program-question';
import { askedQuestions, blankAnswers, questionPath } from './questions';

/** Questions outside any application: those of a referee, and of a preview. A form around them sends the answers. */
export function QuestionPreview({ questions, form }: { questions: Question[]; form: FormState }) {
  const [answers, setAnswers] = useState({ ...blankAnswers(questions), ...asTyped(questions, form) });
  const onAnswer: OnAnswer = useCallback(
    (path, answer) => setAnswers((before) => ({ ...before, [path]: answer })),
    [],
  );
  if (questions.length === 0) return <p>This program has no further questions at the moment.</p>;
  const access = { answers, errors: form.errors, onAnswer };
  return askedQuestions(questions, answers).map((question) => (
    <ProgramQuestion key={question.key} form={access} question={question} />
  ));
}

/** A single ticked box is posted as one text; before what was chosen may be an empty text, see `OnPage`. */
function asTyped(questions: Question[], { values }: FormState): FormState['values'] {
  const several = new Set(
    questions.filter(({ type }) => type === 'several').map(({ key }) => questionPath(key)),
  );
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      several.has(name) ? [value].flat() : ([value].flat().at(-1) ?? ''),
    ]),
  );
}
