import { useEffect, useId, useRef, useState } from 'react';
import type { ComponentProps, KeyboardEvent } from 'react';
import { TextArea } from '../../ui/field';

/** Maximum number of names suggested at a time. */
const SUGGESTED = 6;

/** Maximum length of the typed part of a name. */
const MAX_LENGTH = 80;

const isOfWord = (character: string | undefined) => /[\p{L}\p{N}]/u.test(character ?? '');

interface Begun {
  /** Position of its `@`. */
  from: number;
  matches: string[];
}

/** Returns the names, each with its `@`, that match what was typed before the caret. */
export function suggested(text: string, names: readonly string[]): Begun | null {
  // Starts from the last `@`, since a name may be an address. An `@` inside a word does not count.
  for (let from = text.lastIndexOf('@'); from >= 0; from = from > 0 ? text.lastIndexOf('@', from - 1) : -1) {
    if (text.length - from > MAX_LENGTH) return null;
    const begun = isOfWord(text[from - 1]) ? null : begunAt(text, from, names);
    if (begun) return begun;
  }
  return null;
}

function begunAt(text: string, from: number, names: readonly string[]): Begun | null {
  const typed = text.slice(from).toLowerCase();
  const isMatch = (name: string) => {
    const lower = name.toLowerCase();
    // A later word of the name matches as well.
    return lower.startsWith(typed) || lower.includes(` ${typed.slice(1)}`);
  };
  const matches = names.filter(isMatch).slice(0, SUGGESTED);
  const isWhole = matches.length === 1 && matches[0]!.toLowerCase() === typed;
  return matches.length > 0 && !isWhole ? { from, matches } : null;
}

type Props = Omit<ComponentProps<typeof TextArea>, 'onInput' | 'onKeyDown' | 'onBlur'> & {
  /** The people who can be mentioned, each with an `@` before the name. */
  names: readonly string[];
};

/** A text area in which `@` suggests people to mention. */
export function MentionArea({ names, ...textarea }: Props) {
  const listId = useId();
  const root = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [begun, setBegun] = useState<Begun | null>(null);
  const [at, setAt] = useState(0);

  // The lower edge of a tall field may be out of sight.
  useEffect(() => {
    if (begun) list.current?.scrollIntoView({ block: 'nearest' });
  }, [begun]);

  const area = () => root.current?.querySelector('textarea');

  function look() {
    const input = area();
    if (!input) return;
    const isCaret = input.selectionStart === input.selectionEnd;
    setBegun(isCaret ? suggested(input.value.slice(0, input.selectionStart), names) : null);
    setAt(0);
  }

  function choose(name: string) {
    const input = area();
    if (!input || !begun) return;
    input.setRangeText(`${name} `, begun.from, input.selectionStart, 'end');
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.focus();
    setBegun(null);
  }

  function press(event: KeyboardEvent) {
    if (!begun || event.nativeEvent.isComposing) return;
    const { matches } = begun;
    if (event.key === 'ArrowDown') setAt((at + 1) % matches.length);
    else if (event.key === 'ArrowUp') setAt((at + matches.length - 1) % matches.length);
    else if (event.key === 'Escape') setBegun(null);
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) choose(matches[at]!);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div className="mention-area" ref={root}>
      <TextArea
        {...textarea}
        aria-autocomplete="list"
        aria-controls={begun ? listId : undefined}
        aria-activedescendant={begun ? `${listId}-${at}` : undefined}
        onInput={look}
        onKeyDown={press}
        onBlur={() => setBegun(null)}
      />
      {begun ? (
        <div id={listId} ref={list} role="listbox" aria-label="Who can be mentioned">
          {begun.matches.map((name, place) => (
            // The textarea handles the keys: the focus stays there.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={name}
              id={`${listId}-${place}`}
              role="option"
              aria-selected={place === at}
              onPointerDown={(event) => {
                event.preventDefault();
                choose(name);
              }}
            >
              {name}
            </div>
          ))}
        </div>
      ) : null}
      <p className="visually-hidden" role="status">
        {begun ? `${begun.matches.length} to choose from` : ''}
      </p>
    </div>
  );
}
