import { useMemo, useState } from 'react';
import type { FormEvent } from 'react';
import type { AdminQuestionnaireProps, DraftedReferences } from '../../api/page.gen';
import { BackLink } from '../../ui/back-link';
import { Button } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { summaryErrors, type SummaryError } from '../../ui/error-summary';
import { FormOutcome } from '../../ui/form-outcome';
import { Notice } from '../../ui/notice';
import { useHydrated } from '../../ui/use-hydrated';
import { Differences } from '../../ui/differences';
import { QuestionList, useQuestions } from './question-list';
import { applicants, referees } from './rows';
import { SelectField } from '../../ui/field';

/**
 * Edits the questions of a program, for applicants and for referees. Without JavaScript every button saves the draft
 * and returns here.
 */
export function EditorPage(props: AdminQuestionnaireProps) {
  const { name, path, revision, names, info, kinds, languages, most, differences, form } = props;
  const errors = useMemo(() => summaryErrors(form).map(withNumber), [form]);
  const hydrated = useHydrated();
  const [isChanged, setChanged] = useState(form.error !== undefined);
  const changed = () => setChanged(true);
  const ofApplicants = useQuestions(props.questions, applicants, changed);
  const ofReferees = useQuestions(props.references.questions, referees, changed);

  /** Handles buttons that work in place; the others post the form. */
  function submit(event: FormEvent<HTMLFormElement>) {
    const button = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
    const pressed = button?.value ?? '';
    if (ofApplicants.press(pressed) || ofReferees.press(pressed)) event.preventDefault();
    else setChanged(false);
  }

  const shared = { languages, most, errors: form.errors, hydrated };
  return (
    <div className="stack">
      <BackLink href="/admin-panel/questionnaires">All questionnaires</BackLink>
      <h1>Questions of the {name}</h1>
      <FormOutcome errors={errors} message={form.message} errorTitle={titleOf(props)} />
      {differences.length > 0 ? (
        <Notice tone="warning" title="Yours and theirs">
          <p>
            {info ? `${info.changedBy} changed the draft ${info.changedText}. ` : ''}Below is what you wrote.
            Saving it puts it in the place of theirs; <a href={path}>take theirs</a> to drop yours.
          </p>
        </Notice>
      ) : null}
      {differences.length > 0 ? (
        <Differences label="Yours and theirs" first="Yours" second="Theirs" differences={differences} />
      ) : null}
      <p className="hint">
        {info && differences.length === 0
          ? `A draft, changed ${info.changedText} by ${info.changedBy}. `
          : info
            ? ''
            : 'These are the questions that are asked now. Saving makes a draft. '}
        Nobody is asked a draft before it is published.
      </p>
      <form
        className="question-editor"
        data-changed={isChanged ? '' : undefined}
        method="post"
        action={path}
        autoComplete="off"
        noValidate
        onSubmit={submit}
      >
        {/* Pressing Enter in a field activates the form's first button. */}
        <button className="visually-hidden" name="_action" value="save" tabIndex={-1} aria-hidden="true">
          Save the draft
        </button>
        <input type="hidden" name="revision" value={revision} />
        <input type="hidden" name="names" value={names} />
        <h2>Questions for applicants</h2>
        <QuestionList questions={ofApplicants} kinds={kinds} {...shared} />
        <h2>References</h2>
        <p className="hint">
          Referees get a link by mail and need no account. They answer questions of their own, upload a
          letter, or both.
        </p>
        <ReferenceRules {...props} onChange={changed} />
        <QuestionList questions={ofReferees} kinds={kinds.filter(isForReferees)} {...shared} />
        <div className="form-actions">
          <Button name="_action" value="save">
            Save the draft
          </Button>
          <Button variant="secondary" name="_action" value="preview">
            Save and preview
          </Button>
          <Button variant="secondary" name="_action" value="publish">
            Save and publish…
          </Button>
        </div>
        {info ? (
          <Disclosure summary="Discard the draft">
            <p>It cannot be brought back. What is asked now stays.</p>
            <Button variant="secondary" name="_action" value="discard">
              Discard it
            </Button>
          </Disclosure>
        ) : null}
      </form>
    </div>
  );
}

/** Referees can only send a letter, and no other files. */
const isForReferees = ({ value }: { value: string }) => value !== 'file';

/** How many references there are, and whether they come with a letter. */
function ReferenceRules({
  references,
  letters,
  mostReferees,
  form: { errors },
  onChange,
}: AdminQuestionnaireProps & { onChange: () => void }) {
  const [rules, setRules] = useState<Omit<DraftedReferences, 'questions'>>(references);
  const numbers = Array.from({ length: mostReferees + 1 }, (_, number) => ({
    value: String(number),
    label: number === 0 ? 'None' : String(number),
  }));
  const field = (name: keyof typeof rules) => ({
    name: `references.${name}`,
    error: errors[`references.${name}`],
    onChange: (event: { currentTarget: HTMLSelectElement }) => {
      setRules({ ...rules, [name]: event.currentTarget.value });
      onChange();
    },
  });
  return (
    <div className="question-settings">
      <SelectField
        {...field('most')}
        label="Referees that can be named"
        options={numbers}
        value={rules.most || '0'}
      />
      <SelectField
        {...field('needed')}
        label="References needed"
        options={numbers}
        value={rules.needed || '0'}
      />
      <SelectField {...field('letter')} label="Letter" options={letters} value={rules.letter || 'none'} />
    </div>
  );
}

/** Adds the question's number, since the same error may apply to several questions. */
function withNumber(error: SummaryError): SummaryError {
  const [, isOfReferees, number] = /^(references\.)?questions\.(\d+)\./.exec(error.name) ?? [];
  if (number === undefined) return error;
  const { whose } = isOfReferees ? referees : applicants;
  return { ...error, message: `Question ${Number(number) + 1}${whose}: ${error.message}` };
}

function titleOf({ form }: AdminQuestionnaireProps): string | undefined {
  return Object.keys(form.errors).length > 0 ? 'Before it can be published, please mend this' : undefined;
}
