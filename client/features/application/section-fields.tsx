import { Fragment } from 'react';
import { Notice } from '../../ui/notice';
import type { QuestionSet, SectionId } from '../../api/page.gen';
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
import { askOf, type Asked, type Single } from './table';
import { table } from './table.gen';

interface SectionProps {
  section: SectionId;
  form: FormAccess;
  questionnaire: QuestionSet;
  /** The version of the program's questionnaire that was answered last. */
  answeredVersion: number;
}

export function SectionFields({ section, ...props }: SectionProps) {
  const { form } = props;
  const asked = table.find(({ id }) => id === section);
  if (!asked) return <Questions {...props} />;
  return asked.questions.map((question) => {
    const { path, after } = question;
    const field = <Field key={path} form={form} asked={question} />;
    return after ? (
      <AskedWith key={path} after={after} form={form}>
        {field}
      </AskedWith>
    ) : (
      field
    );
  });
}

function Field({ form, asked }: { form: FormAccess; asked: Asked }) {
  switch (asked.kind) {
    case 'group':
    case 'anyOf':
      return (
        <fieldset className="answer-group">
          <legend>{askOf(asked)}</legend>
          <Parts form={form} parts={asked.parts} path={asked.path} />
        </fieldset>
      );
    case 'repeated':
      return (
        <PreviousEmployers form={form}>
          {(path) => <Parts form={form} parts={asked.parts} path={path} />}
        </PreviousEmployers>
      );
    default:
      return <Answer form={form} asked={asked} path={asked.path} />;
  }
}

const isShort = ({ kind }: Single) => kind === 'whole' || kind === 'choice';

/** The questions of a group. Two short ones share a line. */
function Parts({ form, parts, path }: { form: FormAccess; parts: Single[]; path: string }) {
  const answer = (part: Single) => <Answer form={form} asked={part} path={`${path}.${part.path}`} />;
  return parts.map((part, index) => {
    const next = parts[index + 1];
    const before = parts[index - 1];
    if (isShort(part) && before && isShort(before)) return null;
    if (!isShort(part) || !next || !isShort(next)) return <Fragment key={part.path}>{answer(part)}</Fragment>;
    return (
      <div className="field-pair" key={part.path}>
        {answer(part)}
        {answer(next)}
      </div>
    );
  });
}

function Answer({ form, asked, path }: { form: FormAccess; asked: Single; path: string }) {
  const words = { label: askOf(asked), ...(asked.hint && { hint: asked.hint }) };
  switch (asked.kind) {
    case 'yesNo':
      return <YesNoAnswer {...one(form, path)} {...words} />;
    case 'state':
      return <StateAnswer {...one(form, path)} {...words} />;
    case 'country':
      return <CountryAnswer {...one(form, path)} {...words} />;
    case 'whole':
      return <WholeAnswer {...one(form, path)} {...words} />;
    case 'money':
      return <MoneyAnswer {...one(form, path)} {...words} />;
    case 'choice':
      return <ChoiceAnswer {...one(form, path)} {...words} options={asked.options} />;
    case 'several':
      return <SeveralAnswer {...several(form, path)} {...words} choices={asked.options} />;
    case 'text':
      return <TextAnswer {...one(form, path)} {...words} />;
  }
}

function Questions({ form, questionnaire, answeredVersion }: Omit<SectionProps, 'section'>) {
  const { questions, version } = questionnaire;
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
