// The questions that staff ask: which of them apply, and what happens to answers that no longer do. Their answers are
// kept as text, as in a posted form; the server validates them.

import type { Condition, Question } from '../../api/page.gen';
import { t } from '../../api/texts';
import type { Answers } from './answers';

const PREFIX = 'questionnaire.answers.';

export function questionPath(key: string): string {
  return PREFIX + key;
}

/** Whether `path` belongs to an answer to one of these questions. */
export function isQuestionPath(path: string): boolean {
  return path.startsWith(PREFIX);
}

export function questionAt(questions: Question[], path: string): Question | undefined {
  return questions.find(({ key }) => questionPath(key) === path);
}

type Answer = Answers[string] | undefined;

export function isBlank(answer: Answer): boolean {
  return answer === undefined || answer.length === 0;
}

/** Returns what the form shows for unanswered questions. */
export function blankAnswers(questions: Question[]): Answers {
  return Object.fromEntries(
    questions.map(({ key, type }) => [questionPath(key), type === 'several' ? [] : '']),
  );
}

function holds({ is }: Condition, answer: Answer): boolean {
  const wanted = typeof is === 'boolean' ? (is ? 'yes' : 'no') : is;
  return Array.isArray(answer) ? answer.includes(wanted) : answer === wanted;
}

/** Returns the questions that apply given these answers. */
export function askedQuestions(questions: Question[], answers: Answers): Question[] {
  const asked = new Set<string>();
  for (const { key, onlyIf } of questions) {
    const isAsked =
      !onlyIf || (asked.has(onlyIf.question) && holds(onlyIf, answers[questionPath(onlyIf.question)]));
    if (isAsked) asked.add(key);
  }
  return questions.filter(({ key }) => asked.has(key));
}

/**
 * Sets aside answers to questions that do not apply, and brings back those to questions that apply again. So taking
 * back a No loses nothing, and nothing is saved that was not asked for.
 */
export function withAskedOnly(
  questions: Question[],
  answers: Answers,
  aside: Answers,
): { answers: Answers; aside: Answers } {
  if (!questions.some(({ onlyIf }) => onlyIf)) return { answers, aside };
  let now = answers;
  let kept = aside;
  for (const { key, type } of questions) {
    const path = questionPath(key);
    const isAsked = askedQuestions(questions, now).some((question) => question.key === key);
    if (isAsked && isBlank(now[path]) && !isBlank(kept[path])) {
      const { [path]: back, ...rest } = kept;
      now = { ...now, [path]: back! };
      kept = rest;
    } else if (!isAsked && !isBlank(now[path])) {
      kept = { ...kept, [path]: now[path]! };
      now = { ...now, [path]: type === 'several' ? [] : '' };
    }
  }
  return { answers: now, aside: kept };
}

const months = [
  t('January'),
  t('February'),
  t('March'),
  t('April'),
  t('May'),
  t('June'),
  t('July'),
  t('August'),
  t('September'),
  t('October'),
  t('November'),
  t('December'),
];

/** Returns one value of an answer in words. */
export function questionWords(question: Question, value: string): string {
  if (question.type === 'choice' || question.type === 'several') {
    return question.options.find((option) => option.value === value)?.label ?? value;
  }
  if (question.type === 'yesNo') return value === 'yes' ? t('Yes') : value === 'no' ? t('No') : value;
  if (question.type !== 'date') return value;
  const [year, month, day] = value.split('-');
  const name = months[Number(month) - 1];
  return name && day ? t`${name} ${Number(day)}, ${year ?? ''}` : value;
}
