import { useMemo } from 'react';
import type { AdminImportProps } from '../../api/page.gen';
import { BackLink } from '../../ui/back-link';
import { ButtonLink } from '../../ui/button';
import { summaryErrors } from '../../ui/error-summary';
import { FormOutcome } from '../../ui/form-outcome';
import { grouped } from '../../ui/format';
import { Icon } from '../../ui/icon';
import { ColumnsForm } from './columns-form';
import { DeleteForm, StartForm, UndoForm } from './import-acts';
import { ImportTag } from './import-tag';
import { WorkProgress } from './work-progress';

/** One import, from its columns to undoing it. */
export function ImportPage(props: AdminImportProps) {
  const { href, name, format, rows, state, stateText, columns, progress, form } = props;
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="imports stack">
      <BackLink href="/admin-panel/imports">All imports</BackLink>
      <header className="import-head">
        <h1>{name}</h1>
        <p className="import-state">
          <ImportTag state={state}>{stateText}</ImportTag>
          <span>{`${format} · ${rows === 1 ? '1 row' : `${grouped(rows)} rows`}`}</span>
        </p>
        <Steps state={state} isOpen={columns !== null} />
      </header>
      {/* Says when the work in the background is done. */}
      <p className="visually-hidden" role="status">
        {stateText}
      </p>
      <FormOutcome errors={errors} message={form.message} />
      {columns ? <ColumnsForm href={href} columns={columns} form={form} /> : null}
      {progress ? <WorkProgress href={href} state={state} progress={progress} /> : null}
      {columns || progress ? null : <Result {...props} />}
      {props.undo ? <UndoForm href={href} undo={props.undo} isOpen={errors.length > 0} /> : null}
      {props.mayDelete ? <DeleteForm href={href} /> : null}
    </div>
  );
}

const STEPS = ['Columns', 'Check', 'Import'];

/** Returns the number of the step that the import is at. */
function stepOf(state: AdminImportProps['state']): number {
  if (state === 'mapping') return 0;
  return state === 'checking' || state === 'checked' ? 1 : 2;
}

/** The way to an import, and how far it is. */
function Steps({ state, isOpen }: { state: AdminImportProps['state']; isOpen: boolean }) {
  if (state === 'undoing' || state === 'undone') return null;
  const current = isOpen ? 0 : stepOf(state);
  return (
    <ol className="import-steps" aria-label="Steps">
      {STEPS.map((step, index) => {
        const isDone = index < current || state === 'done';
        return (
          <li key={step} aria-current={index === current && !isDone ? 'step' : undefined}>
            <Icon name={isDone ? 'check' : index === current ? 'half' : 'circle'} />
            {step}
            {isDone ? <span className="visually-hidden"> (done)</span> : null}
          </li>
        );
      })}
    </ol>
  );
}

/** What came of checking, importing or undoing it, and what can be done next. */
function Result(props: AdminImportProps) {
  const { href, state, figures, facts, start, columnsHref, rowsHref, errorsHref, listHref, form } = props;
  return (
    <>
      <section className="stack-small" aria-labelledby="result-heading">
        <h2 id="result-heading">{headings[state]}</h2>
        <ul className="import-figures">
          {figures.map((figure) => (
            <li
              key={figure.label}
              className={figure.state === 'wrong' && figure.count > 0 ? 'wrong' : undefined}
            >
              <strong>{grouped(figure.count)}</strong>
              {figure.href && figure.count > 0 ? <a href={figure.href}>{figure.label}</a> : figure.label}
            </li>
          ))}
        </ul>
        <p className="import-links">
          {rowsHref ? <a href={rowsHref}>See every row</a> : null}
          {errorsHref ? (
            <a href={errorsHref} data-document>
              Save the rows with errors as CSV
            </a>
          ) : null}
          {listHref ? <a href={listHref}>See them in the list of applications</a> : null}
        </p>
        {state === 'checked' && !start ? (
          <p>No row can be imported. Correct the file and upload it again, or change the columns.</p>
        ) : null}
        {start ? <StartForm href={href} start={start} form={form} /> : null}
      </section>
      <section className="import-about stack-small" aria-labelledby="facts-heading">
        <div className="import-top">
          <h2 id="facts-heading">How it is read</h2>
          {columnsHref ? (
            <ButtonLink variant="secondary" size="small" href={columnsHref}>
              Change the columns
            </ButtonLink>
          ) : null}
        </div>
        <dl className="facts-list import-facts">
          {facts.map((fact) => (
            <div key={fact.name}>
              <dt>{fact.name}</dt>
              <dd>{fact.value}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}

const headings = {
  mapping: 'Rows',
  checking: 'Rows',
  checked: 'What would be imported',
  running: 'Rows',
  done: 'What came in',
  undoing: 'Rows',
  undone: 'What became of it',
} as const;
