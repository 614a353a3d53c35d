import type { ReactNode } from 'react';
import { Notice } from '../../ui/notice';
import type { ApplicationProps, SectionId } from '../../api/page.gen';
import {
  AskedWith,
  ChoiceAnswer,
  CountryAnswer,
  MoneyAnswer,
  one,
  several,
  SeveralAnswer,
  StateAnswer,
  TextAnswer,
  WholeAnswer,
  YesNoAnswer,
  type FormAccess,
} from './fields';
import { ProgramQuestion } from './program-question';
import { PreviousEmployers } from './previous-employers';
import { askedQuestions } from './questions';
import { employerLabels } from './sections';

interface SectionProps {
  form: FormAccess;
  choices: ApplicationProps['choices'];
  /** The version of the program's questions that was answered last. */
  answeredVersion: number;
}

/** The questions of each section. */
export const sectionFields: Record<SectionId, (props: SectionProps) => ReactNode> = {
  'about-you': AboutYou,
  military: Military,
  education: Education,
  employment: Employment,
  'financial-plan': FinancialPlan,
  'credit-transfer': CreditTransfer,
  questions: Questions,
};

function AboutYou({ form }: SectionProps) {
  return (
    <>
      <YesNoAnswer
        {...one(form, 'personalInfo.isUSCitizen')}
        label="Are you a citizen of the United States?"
      />
      <StateAnswer
        {...one(form, 'personalInfo.state')}
        label="In which state do you live?"
        hint="Leave this blank if you live outside the United States."
      />
    </>
  );
}

function Military({ form }: SectionProps) {
  return (
    <>
      <YesNoAnswer
        {...one(form, 'personalInfo.isMilitaryAffiliated')}
        label="Are you affiliated with the United States military?"
        hint="Active duty, Guard, Reserve, veteran, or their spouse or child."
      />
      <YesNoAnswer
        {...one(form, 'personalInfo.isDoDEmployee')}
        label="Are you a civilian employee of the Department of Defense?"
      />
    </>
  );
}

function Education({ form }: SectionProps) {
  return (
    <>
      <YesNoAnswer {...one(form, 'education.hasBachelors')} label="Do you have a bachelor’s degree?" />
      <AskedWith path="education.country" form={form}>
        <CountryAnswer {...one(form, 'education.country')} label="Country of your bachelor’s degree" />
      </AskedWith>
      <YesNoAnswer {...one(form, 'education.hasMasters')} label="Do you have a master’s degree?" />
      <AskedWith path="education.mastersCountry" form={form}>
        <CountryAnswer {...one(form, 'education.mastersCountry')} label="Country of your master’s degree" />
      </AskedWith>
    </>
  );
}

function Employment({ form, choices }: SectionProps) {
  return (
    <>
      <YesNoAnswer
        {...one(form, 'employment.isSeeingCoachingClients')}
        label="Are you seeing coaching clients?"
        hint="Paid or not, in person or online."
      />
      <YesNoAnswer
        {...one(form, 'employment.isCurrentlyEmployed')}
        label="Are you employed at the moment?"
        hint="Military service and self-employment count."
      />
      <AskedWith path="employment.currentEmployer.name" form={form}>
        <fieldset className="answer-group">
          <legend>Your current employer</legend>
          <EmployerFields form={form} path="employment.currentEmployer" choices={choices} />
        </fieldset>
      </AskedWith>
      <YesNoAnswer
        {...one(form, 'employment.hasPreviousEmployment')}
        label="Have you worked for anyone else before?"
      />
      <AskedWith path="employment.previousEmployers" form={form}>
        <PreviousEmployers form={form}>
          {(path) => <EmployerFields form={form} path={path} choices={choices} />}
        </PreviousEmployers>
      </AskedWith>
    </>
  );
}

function EmployerFields({ form, path, choices }: Omit<SectionProps, 'answeredVersion'> & { path: string }) {
  return (
    <>
      <TextAnswer {...one(form, `${path}.name`)} label={employerLabels.name} />
      <TextAnswer {...one(form, `${path}.jobTitle`)} label={employerLabels.jobTitle} />
      <div className="field-pair">
        <WholeAnswer {...one(form, `${path}.hoursPerWeek`)} label={employerLabels.hoursPerWeek} />
        <ChoiceAnswer
          {...one(form, `${path}.yearsInRole`)}
          label={employerLabels.yearsInRole}
          options={choices.yearsInRole}
        />
      </div>
    </>
  );
}

function FinancialPlan({ form, choices }: SectionProps) {
  return (
    <>
      <SeveralAnswer
        {...several(form, 'financialPlan.selectedPayments')}
        label="How do you plan to pay?"
        hint="Choose all that apply. A plan is enough for now."
        choices={choices.payments}
      />
      <AskedWith path="financialPlan.selfPayContribution.upFrontContribution" form={form}>
        <fieldset className="answer-group">
          <legend>What you pay yourself</legend>
          <MoneyAnswer
            {...one(form, 'financialPlan.selfPayContribution.upFrontContribution')}
            label="Up front"
            hint="In US dollars, such as 1,200.50. Leave it empty if you pay nothing."
          />
          <MoneyAnswer
            {...one(form, 'financialPlan.selfPayContribution.monthlyPaymentContribution')}
            label="Each month"
          />
        </fieldset>
      </AskedWith>
    </>
  );
}

function CreditTransfer({ form, choices }: SectionProps) {
  return (
    <SeveralAnswer
      {...several(form, 'creditTransfer.selectedPrograms')}
      label="Where do you have credits that you want to transfer?"
      hint="Choose all that apply, or none."
      choices={choices.transferPrograms}
    />
  );
}

function Questions({ form, choices, answeredVersion }: SectionProps) {
  const { questions, version } = choices.questionnaire;
  if (questions.length === 0) return <p>This program has no further questions at the moment.</p>;
  return (
    <>
      {answeredVersion !== 0 && answeredVersion !== version ? (
        <Notice tone="info" title="These questions have changed">
          <p>
            The institute has changed these questions since you answered them. Your answers to the ones that
            stayed are kept.
          </p>
        </Notice>
      ) : null}
      {askedQuestions(questions, form.answers).map((question) => (
        <ProgramQuestion key={question.key} form={form} question={question} />
      ))}
    </>
  );
}
