import { useRef, useState } from 'react';
import type { RefObject } from 'react';
import type { DraftQuestion, OfficeChoice, TranslationLanguage } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { FieldError, fieldId } from '../../ui/field';
import { QuestionFields } from './question-fields';
import { blankQuestion, moved, rowsOf, type Audience, type Row } from './rows';

/** The questions for an audience, as edited. */
interface Questions {
  audience: Audience;
  rows: Row[];
  list: RefObject<HTMLOListElement | null>;
  /** What a button has just done, for those who cannot see it. */
  told: string;
  change: (number: number, changed: Partial<DraftQuestion>) => void;
  move: (at: number, to: number) => void;
  /** Handles a button of the list that works in place; returns whether it was one. */
  press: (action: string) => boolean;
}

export function useQuestions(
  questions: DraftQuestion[],
  audience: Audience,
  onChange: () => void,
): Questions {
  const [rows, setRows] = useState(() => rowsOf(questions));
  const [told, setTold] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const called = (at: number) => `Question ${at + 1}${audience.whose}`;

  function put(next: Row[]) {
    setRows(next);
    onChange();
  }

  function change(number: number, changed: Partial<DraftQuestion>) {
    put(rows.map((row) => (row.number === number ? { ...row, ...changed } : row)));
  }

  function move(at: number, to: number) {
    const next = moved(rows, at, to);
    if (next === rows) return;
    put(next);
    setTold(`${called(at)} is now question ${to + 1}.`);
  }

  function press(pressed: string): boolean {
    if (!pressed.startsWith(audience.actions)) return false;
    const [action, number] = pressed.slice(audience.actions.length).split(':');
    const at = rows.findIndex((row) => row.number === Number(number));
    if (action === 'up') move(at, at - 1);
    else if (action === 'down') move(at, at + 1);
    else if (action === 'remove' || action === 'bring-back') {
      change(Number(number), { removed: action === 'remove' });
      setTold(`${called(at)} is ${action === 'remove' ? 'removed' : 'back'}.`);
    } else if (action === 'add') {
      put([...rows, blankQuestion(rows)]);
      setTold(`${called(rows.length)} is added.`);
      // The new question is rendered after this turn.
      setTimeout(() =>
        list.current?.querySelector<HTMLElement>('li:last-child input:not([type=hidden])')?.focus(),
      );
    } else return false;
    return true;
  }

  return { audience, rows, list, told, change, move, press };
}

interface QuestionListProps {
  questions: Questions;
  kinds: OfficeChoice[];
  languages: TranslationLanguage[];
  /** Maximum number of questions. */
  most: number;
  errors: Record<string, string>;
  hydrated: boolean;
}

/** The fields of an audience's questions, and a button for one more. */
export function QuestionList({ questions, kinds, languages, most, errors, hydrated }: QuestionListProps) {
  const { audience, rows, list, told, change, move } = questions;
  const [dragged, setDragged] = useState<number | null>(null);
  const [dropAt, setDropAt] = useState<number | null>(null);
  const kept = rows.filter(({ removed }) => !removed).length;
  return (
    <>
      <ol className="question-list" ref={list}>
        {rows.map((row, at) => (
          <li
            key={row.number}
            id={`${audience.actions}question-${row.number}`}
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
              audience={audience}
              row={row}
              at={at}
              count={rows.length}
              earlier={rows.slice(0, at)}
              kinds={kinds}
              languages={languages}
              errors={errors}
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
      <FieldError id={fieldId(audience.fields)} tabIndex={-1}>
        {errors[audience.fields]}
      </FieldError>
      <p className="visually-hidden" role="status">
        {told}
      </p>
      {kept < most ? (
        <p>
          <Button variant="secondary" name="_action" value={`${audience.actions}add`}>
            Add a question{audience.whose}
          </Button>
        </p>
      ) : (
        <p className="hint">At most {most} questions can be asked.</p>
      )}
    </>
  );
}
