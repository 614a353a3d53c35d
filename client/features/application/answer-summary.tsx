import type { ApplicationData, ApplicationProps, CheckProps, Question, SectionId } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Icon } from '../../ui/icon';
import { answersOf, employerCount, isHidden, singleAt, type Answers } from './answers';
import { askedQuestions, isBlank, questionAt, questionPath } from './questions';
import { answerHref, labelOf, sections, valueInWords, type Section } from './sections';
import { askOf } from './table';
import { table } from './table.gen';

type Missing = CheckProps['missing'];

interface AnswerSummaryProps {
  info: ApplicationProps['info'];
  data: ApplicationData;
  /** The questions that staff ask applicants of the program. */
  questions: Question[];
  /** Unanswered questions: their defaults are not shown. */
  missing: Missing;
  /** Sections whose answers each link to their place in the form. */
  open?: Section[];
}

/** All answers, section by section, read-only. */
export function AnswerSummary({ info, data, questions, missing, open = [] }: AnswerSummaryProps) {
  const answers = answersOf(data);
  return (
    <div className="answer-summary">
      {sections.map((section) => (
        <section key={section.id} aria-labelledby={`${section.id}-heading`}>
          <div className="section-head">
            <h2 id={`${section.id}-heading`}>{section.title}</h2>
          </div>
          <dl className="facts-list">
            {rowsOf(section.id, answers, questions)
              .filter((row) => !isHidden(row.paths[0]!, answers))
              .map((row) => (
                <div key={row.label}>
                  <dt>{row.label}</dt>
                  <Answer info={info} row={row} answers={answers} questions={questions} missing={missing} />
                  {open.includes(section) ? (
                    <dd className="answer-change">
                      <a href={answerHref(info, row.paths[0]!, { fromCheck: true })}>
                        Change
                        <span className="visually-hidden"> {row.label}</span>
                      </a>
                    </dd>
                  ) : null}
                </div>
              ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

/** One row: an answer, or all answers about one employer. */
interface Row {
  label: string;
  paths: string[];
}

function rowsOf(section: SectionId, answers: Answers, questions: Question[]): Row[] {
  const one = (path: string): Row => ({ label: labelOf(path, questions), paths: [path] });
  const asked = table.find(({ id }) => id === section);
  if (!asked) return askedQuestions(questions, answers).map(({ key }) => one(questionPath(key)));
  return asked.questions.flatMap((question) => {
    const { path, label } = question;
    const inGroup = (start: string) =>
      'parts' in question ? question.parts.map((part) => `${start}.${part.path}`) : [];
    switch (question.kind) {
      case 'group':
        return [{ label, paths: inGroup(path) }];
      case 'anyOf':
        return inGroup(path).map(one);
      case 'repeated': {
        const items = Array.from({ length: employerCount(answers) }, (_, index) => ({
          label: t`Previous employer ${index + 1}`,
          paths: inGroup(`${path}.${index}`),
        }));
        return items.length > 0 ? items : [one(path)];
      }
      default:
        return [one(path)];
    }
  });
}

interface AnswerProps {
  info: ApplicationProps['info'];
  row: Row;
  answers: Answers;
  questions: Question[];
  missing: Missing;
}

function Answer({ info, row, answers, questions, missing }: AnswerProps) {
  const open = missing.filter(({ path }) => row.paths.includes(path));
  const isOpen = (path: string) => open.some((each) => each.path === path);
  const lines = row.paths
    .filter((path) => !isOpen(path))
    .flatMap((path) => linesOf(path, answers[path], questions));
  return (
    <dd>
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
      {open.map(({ path, sentence, href }) => (
        <a key={path} className="answer-missing" href={href ?? answerHref(info, path, { fromCheck: true })}>
          <Icon name="error" />
          {sentence}
        </a>
      ))}
    </dd>
  );
}

function linesOf(path: string, answer: Answers[string] | undefined, questions: Question[]): string[] {
  const question = questionAt(questions, path);
  if (question?.type === 'file') return [t('Among your documents')];
  if (question && isBlank(answer)) return [t('No answer')];
  if (question?.type === 'longText')
    return String(answer)
      .split('\n')
      .filter((line) => line !== '');
  if (Array.isArray(answer)) {
    return answer.length === 0 ? [t('None')] : answer.map((value) => valueInWords(path, value, questions));
  }
  const words = valueInWords(path, answer ?? '', questions);
  const asked = singleAt(path);
  switch (asked?.kind) {
    case 'state':
      return [words || t('None, outside the United States')];
    case 'money':
      return [words || t('Nothing')];
    case 'whole':
      return [`${words} ${askOf(asked).toLowerCase()}`];
    case 'choice':
      return [`${askOf(asked)}: ${words}`];
    default:
      return [words];
  }
}
