import type { ApplicationData, ApplicationProps, CheckProps, Choices, SectionId } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Icon } from '../../ui/icon';
import {
  answersOf,
  employerCount,
  employerFields,
  isHidden,
  PREVIOUS_EMPLOYERS,
  type Answers,
} from './answers';
import { askedQuestions, isBlank, questionAt, questionPath } from './questions';
import { answerHref, labelOf, sections, valueInWords, type Section } from './sections';

type Missing = CheckProps['missing'];

interface AnswerSummaryProps {
  info: ApplicationProps['info'];
  data: ApplicationData;
  choices: Choices;
  /** What is not answered yet: no default is shown in its place. */
  missing: Missing;
  /** Each answer of these sections has a link to its place in the form. */
  open?: Section[];
}

/** All answers to read, section by section. */
export function AnswerSummary({ info, data, choices, missing, open = [] }: AnswerSummaryProps) {
  const answers = answersOf(data);
  return (
    <div className="answer-summary">
      {sections.map((section) => (
        <section key={section.id} aria-labelledby={`${section.id}-heading`}>
          <div className="section-head">
            <h2 id={`${section.id}-heading`}>{section.title}</h2>
          </div>
          <dl className="facts-list">
            {rowsOf(section.id, answers, choices)
              .filter((row) => !isHidden(row.paths[0]!, answers))
              .map((row) => (
                <div key={row.label}>
                  <dt>{row.label}</dt>
                  <Answer info={info} row={row} answers={answers} choices={choices} missing={missing} />
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

/** What stands in one row: one answer, or those about one employer. */
interface Row {
  label: string;
  paths: string[];
}

const one = (path: string, choices: Choices): Row => ({ label: labelOf(path, choices), paths: [path] });

const employer = (label: string, start: string): Row => ({
  label,
  paths: employerFields.map((field) => `${start}.${field}`),
});

function rowsOf(section: SectionId, answers: Answers, choices: Choices): Row[] {
  switch (section) {
    case 'about-you':
      return [one('personalInfo.isUSCitizen', choices), one('personalInfo.state', choices)];
    case 'military':
      return [one('personalInfo.isMilitaryAffiliated', choices), one('personalInfo.isDoDEmployee', choices)];
    case 'education':
      return ['hasBachelors', 'country', 'hasMasters', 'mastersCountry'].map((name) =>
        one(`education.${name}`, choices),
      );
    case 'employment': {
      const before = Array.from({ length: employerCount(answers) }, (_, index) =>
        employer(t`Previous employer ${index + 1}`, `${PREVIOUS_EMPLOYERS}.${index}`),
      );
      return [
        one('employment.isSeeingCoachingClients', choices),
        one('employment.isCurrentlyEmployed', choices),
        employer(t('Current employer'), 'employment.currentEmployer'),
        one('employment.hasPreviousEmployment', choices),
        ...(before.length > 0 ? before : [one(PREVIOUS_EMPLOYERS, choices)]),
      ];
    }
    case 'financial-plan':
      return [
        one('financialPlan.selectedPayments', choices),
        one('financialPlan.selfPayContribution.upFrontContribution', choices),
        one('financialPlan.selfPayContribution.monthlyPaymentContribution', choices),
      ];
    case 'credit-transfer':
      return [one('creditTransfer.selectedPrograms', choices)];
    case 'questions':
      return askedQuestions(choices.questionnaire.questions, answers).map(({ key }) =>
        one(questionPath(key), choices),
      );
  }
}

interface AnswerProps {
  info: ApplicationProps['info'];
  row: Row;
  answers: Answers;
  choices: Choices;
  missing: Missing;
}

function Answer({ info, row, answers, choices, missing }: AnswerProps) {
  const open = missing.filter(({ path }) => row.paths.includes(path));
  const isOpen = (path: string) => open.some((each) => each.path === path);
  const lines = row.paths
    .filter((path) => !isOpen(path))
    .flatMap((path) => linesOf(path, answers[path], choices));
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

function linesOf(path: string, answer: Answers[string] | undefined, choices: Choices): string[] {
  const question = questionAt(choices.questionnaire.questions, path);
  if (question?.type === 'file') return [t('Among your documents')];
  if (question && isBlank(answer)) return [t('No answer')];
  if (question?.type === 'longText')
    return String(answer)
      .split('\n')
      .filter((line) => line !== '');
  if (Array.isArray(answer)) {
    return answer.length === 0 ? [t('None')] : answer.map((value) => valueInWords(path, value, choices));
  }
  const words = valueInWords(path, answer ?? '', choices);
  if (path === 'personalInfo.state') return [words || t('None, outside the United States')];
  if (path.endsWith('Contribution')) return [words || t('Nothing')];
  if (path.endsWith('.hoursPerWeek')) return [t`${words} hours per week`];
  if (path.endsWith('.yearsInRole')) return [t`${words} in the role`];
  return [words];
}
