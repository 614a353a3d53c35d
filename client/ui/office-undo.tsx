import type { OfficeUndo } from '../api/page.gen';
import { Button, ButtonLink } from './button';

interface UndoProps {
  undo: OfficeUndo | null;
  /** Where the list is that the form comes back to. */
  here?: string;
}

/** Takes back what was just done: at once, or on the page of the act that does it. */
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
