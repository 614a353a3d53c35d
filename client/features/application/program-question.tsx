import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import type { Question } from '../../api/page.gen';
import { t } from '../../api/texts';
import {
  ChoiceAnswer,
  DateAnswer,
  LongAnswer,
  one,
  OnPage,
  several,
  SeveralAnswer,
  TextAnswer,
  WholeAnswer,
  YesNoAnswer,
  type FormAccess,
} from './fields';
import { questionPath } from './questions';

interface ProgramQuestionProps {
  form: FormAccess;
  question: Question;
}

/** A question of staff with its input. An untranslated one states its language. */
export function ProgramQuestion(props: ProgramQuestionProps) {
  const { lang } = props.question;
  if (lang === undefined) return <Answer {...props} />;
  return (
    <div className="question-in-language" lang={lang}>
      <Answer {...props} />
    </div>
  );
}

function Answer({ form, question }: ProgramQuestionProps) {
  const path = questionPath(question.key);
  const label = question.required ? question.label : t`${question.label} (optional)`;
  const labels = question.help === undefined ? { label } : { label, hint: question.help };
  switch (question.type) {
    case 'text':
      return <TextAnswer {...one(form, path)} {...labels} />;
    case 'longText':
      return <LongAnswer {...one(form, path)} {...labels} maxLength={question.maxLength} />;
    case 'choice':
      return (
        <ChoiceAnswer
          {...one(form, path)}
          {...labels}
          options={[{ value: '', label: t('Choose one') }, ...question.options]}
        />
      );
    case 'several':
      return <SeveralAnswer {...several(form, path)} {...labels} choices={question.options} />;
    case 'number':
      return <WholeAnswer {...one(form, path)} {...labels} />;
    case 'date':
      return <DateAnswer {...one(form, path)} {...labels} min={question.earliest} max={question.latest} />;
    case 'yesNo':
      return (
        <>
          <OnPage path={path} />
          <YesNoAnswer {...one(form, path)} {...labels} />
        </>
      );
    case 'file':
      return (
        <FormControl className="field" id={`f-${path}`} tabIndex={-1}>
          <FormLabel component="p">{label}</FormLabel>
          {question.help ? <FormHelperText>{question.help}</FormHelperText> : null}
          <p>
            Upload it with <a href={`/dashboard/documents#d-question-${question.key}`}>your documents</a>.{' '}
            {question.required
              ? t('You can submit your application once it has arrived.')
              : t('You can do that later, too.')}
          </p>
        </FormControl>
      );
  }
}
