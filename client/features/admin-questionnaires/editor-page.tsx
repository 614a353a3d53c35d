import { useMemo, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import type { AdminQuestionnaireProps, DraftQuestion } from '../../api/page.gen';
import { BackLink } from '../../ui/back-link';
import { Button } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { summaryErrors, type SummaryError } from '../../ui/error-summary';
import { FormOutcome } from '../../ui/form-outcome';
import { Notice } from '../../ui/notice';
import { useHydrated } from '../../ui/use-hydrated';
import { Differences } from '../../ui/differences';
import { QuestionFields } from './question-fields';
import { blankQuestion, moved, rowsOf, type Row } from './rows';
import { FieldError } from '../../ui/field';

/** Edits the questions of a program. Without JavaScript every button saves the draft and returns here. */
export function EditorPage(props: AdminQuestionnaireProps) {
  const { name, path, revision, names, info, questions, kinds, languages, most, differences, form } = props;
  const errors = useMemo(() => summaryErrors(form).map(withNumber), [form]);
  const hydrated = useHydrated();
  const [rows, setRows] = useState(() => rowsOf(questions));
  const [isChanged, setChanged] = useState(form.error !== undefined);
  const [dragged, setDragged] = useState<number | null>(null);
  const [dropAt, setDropAt] = useState<number | null>(null);
  const [told, setTold] = useState('');
  const list = useRef<HTMLOListElement>(null);

  function put(next: Row[]) {
    setRows(next);
    setChanged(true);
  }

  function change(number: number, changed: Partial<DraftQuestion>) {
    put(rows.map((row) => (row.number === number ? { ...row, ...changed } : row)));
  }

  function move(at: number, to: number) {
    const next = moved(rows, at, to);
    if (next === rows) return;
    put(next);
    setTold(`Question ${at + 1} is now question ${to + 1}.`);
  }

  /** Handles buttons that work in place; the others post the form. */
  function submit(event: FormEvent<HTMLFormElement>) {
    const button = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
    const [action, number] = (button?.value ?? '').split(':');
    const at = rows.findIndex((row) => row.number === Number(number));
    if (action === 'up') move(at, at - 1);
    else if (action === 'down') move(at, at + 1);
    else if (action === 'remove' || action === 'bring-back') {
      change(Number(number), { removed: action === 'remove' });
      setTold(action === 'remove' ? `Question ${at + 1} is removed.` : `Question ${at + 1} is back.`);
    } else if (action === 'add') {
      put([...rows, blankQuestion(rows)]);
      setTold(`Question ${rows.length + 1} is added.`);
      // The new question is rendered after this turn.
      setTimeout(() =>
        list.current?.querySelector<HTMLElement>('li:last-child input:not([type=hidden])')?.focus(),
      );
    } else {
      setChanged(false);
      return;
    }
    event.preventDefault();
  }

  const kept = rows.filter(({ removed }) => !removed).length;
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
        <ol className="question-list" ref={list}>
          {rows.map((row, at) => (
            <li
              key={row.number}
              id={`question-${row.number}`}
              className={dropAt === row.number && dragged !== row.number ? 'question-target' : undefined}
              onDragOver={(event) => {
                if (dragged === null) return;
                event.preventDefault();
                setDropAt(row.number);
              }}
              onDrop={(event) => {
                event.preventDefault();
                move(
                  rows.findIndex(({ number }) => number === dragged),
                  at,
                );
              }}
            >
              <QuestionFields
                row={row}
                at={at}
                count={rows.length}
                earlier={rows.slice(0, at)}
                kinds={kinds}
                languages={languages}
                errors={form.errors}
                hydrated={hydrated}
                onChange={(changed) => change(row.number, changed)}
                onDrag={(isDragged) => {
                  setDragged(isDragged ? row.number : null);
                  setDropAt(null);
                }}
              />
            </li>
          ))}
        </ol>
        <FieldError id="f-questions" tabIndex={-1}>
          {form.errors['questions']}
        </FieldError>
        <p className="visually-hidden" role="status">
          {told}
        </p>
        {kept < most ? (
          <p>
            <Button variant="secondary" name="_action" value="add">
              Add a question
            </Button>
          </p>
        ) : (
          <p className="hint">A program asks at most {most} questions.</p>
        )}
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

/** Adds the question's number, since the same error may apply to several questions. */
function withNumber(error: SummaryError): SummaryError {
  const number = /^questions\.(\d+)\./.exec(error.name)?.[1];
  return number ? { ...error, message: `Question ${Number(number) + 1}: ${error.message}` } : error;
}

function titleOf({ form }: AdminQuestionnaireProps): string | undefined {
  return Object.keys(form.errors).length > 0 ? 'Before it can be published, please mend this' : undefined;
}
