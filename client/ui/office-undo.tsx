import type { OfficeUndo } from '../api/page.gen';
import { Button, ButtonLink } from './button';

interface UndoProps {
  undo: OfficeUndo | null;
  /** Address of the list to return to. */
  here?: string;
}

/** Undoes the last action: immediately, or on the page of the act that reverses it. */
export function Undo({ undo, here }: UndoProps) {
  if (!undo) return null;
  if (undo.fields.length === 0) {
    return (
      <ButtonLink variant="quiet" href={undo.href}>
        Undo
      </ButtonLink>
    );
  }
  return (
    <form method="post" action={undo.href}>
      {here === undefined ? null : <input type="hidden" name="here" value={here} />}
      {undo.fields.map(([name, value], index) => (
        <input key={index} type="hidden" name={name} value={value} />
      ))}
      <Button variant="quiet">Undo</Button>
    </form>
  );
}
