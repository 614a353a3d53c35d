import type { ApplicationData, CheckProps, Choices } from '../../api/page';
import { fieldId } from '../../ui/field';
import { Icon } from '../../ui/icon';
import {
  answersOf,
  employerCount,
  employerFields,
  isHidden,
  PREVIOUS_EMPLOYERS,
  type Answers,
} from './answers';
import { labelOf, sections, valueInWords, type SectionId } from './sections';

type Missing = CheckProps['missing'];

interface AnswerSummaryProps {
  data: ApplicationData;
  choices: Choices;
  /** What is not answered yet: no default is shown in its place. */
  missing: Missing;
  /** The page with the form. */
  formHref: string;
  /** Each section has a link to its place in the form. */
  canChange?: boolean;
}

/** All answers to read, section by section. */
export function AnswerSummary({ data, choices, missing, formHref, canChange = false }: AnswerSummaryProps) {
  const answers = answersOf(data);
  return (
    <div className="answer-summary">
      {sections.map((section) => (
        <section key={section.id} aria-labelledby={`${section.id}-heading`}>
          <div className="section-head">
            <h2 id={`${section.id}-heading`}>{section.title}</h2>
            {canChange ? (
              <a className="answer-change" href={`${formHref}#${section.id}`}>
                Change
                <span className="visually-hidden"> {section.title}</span>
              </a>
            ) : null}
          </div>
          <dl className="facts-list">
            {rowsOf(section.id, answers)
              .filter((row) => !isHidden(row.paths[0]!, answers))
              .map((row) => (
                <div key={row.label}>
                  <dt>{row.label}</dt>
                  <Answer
                    row={row}
                    answers={answers}
                    choices={choices}
                    missing={missing}
                    formHref={formHref}
                  />
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

const one = (path: string): Row => ({ label: labelOf(path), paths: [path] });

const employer = (label: string, start: string): Row => ({
  label,
  paths: employerFields.map((field) => `${start}.${field}`),
});

function rowsOf(section: SectionId, answers: Answers): Row[] {
  switch (section) {
    case 'about-you':
      return [one('personalInfo.isUSCitizen'), one('personalInfo.state')];
    case 'military':
      return [one('personalInfo.isMilitaryAffiliated'), one('personalInfo.isDoDEmployee')];
    case 'education':
      return ['hasBachelors', 'country', 'hasMasters', 'mastersCountry'].map((name) =>
        one(`education.${name}`),
      );
    case 'employment': {
      const before = Array.from({ length: employerCount(answers) }, (_, index) =>
        employer(`Previous employer ${index + 1}`, `${PREVIOUS_EMPLOYERS}.${index}`),
      );
      return [
        one('employment.isSeeingCoachingClients'),
        one('employment.isCurrentlyEmployed'),
        employer('Current employer', 'employment.currentEmployer'),
        one('employment.hasPreviousEmployment'),
        ...(before.length > 0 ? before : [one(PREVIOUS_EMPLOYERS)]),
      ];
    }
    case 'financial-plan':
      return [
        one('financialPlan.selectedPayments'),
        one('financialPlan.selfPayContribution.upFrontContribution'),
        one('financialPlan.selfPayContribution.monthlyPaymentContribution'),
      ];
    case 'credit-transfer':
      return [one('creditTransfer.selectedPrograms')];
  }
}

interface AnswerProps {
  row: Row;
  answers: Answers;
  choices: Choices;
  missing: Missing;
  formHref: string;
}

function Answer({ row, answers, choices, missing, formHref }: AnswerProps) {
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
      {open.map(({ path, sentence }) => (
        <a key={path} className="answer-missing" href={`${formHref}#${fieldId(path)}`}>
          <Icon name="error" />
          {sentence}
        </a>
      ))}
    </dd>
  );
}

function linesOf(path: string, answer: Answers[string] | undefined, choices: Choices): string[] {
  if (Array.isArray(answer)) {
    return answer.length === 0 ? ['None'] : answer.map((value) => valueInWords(path, value, choices));
  }
  const words = valueInWords(path, answer ?? '', choices);
  if (path === 'personalInfo.state') return [words || 'None, outside the United States'];
  if (path.endsWith('Contribution')) return [words || 'Nothing'];
  if (path.endsWith('.hoursPerWeek')) return [`${words} hours per week`];
  if (path.endsWith('.yearsInRole')) return [`${words} in the role`];
  return [words];
}
