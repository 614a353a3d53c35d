import InputBase from '@mui/material/InputBase';
import useAutocomplete from '@mui/material/useAutocomplete';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { Button } from './button';
import { Dialog } from './dialog';
import { Icon } from './icon';
import type { IconName } from './icon';
import { useFound } from './office-find';
import type { FoundApplication, Search } from './office-find';
import { Kbd } from './office-kbd';
import { matcherOf } from './office-matcher';
import type { Matcher } from './office-matcher';
import type { Command, CommandGroup } from './office-offers';

export interface PaletteProps {
  groups: CommandGroup[];
  /** Address of the list of applications, if the user may see it. */
  list: string | undefined;
  /** E-mail address of the user. */
  email: string;
  onGo: (href: string) => void;
  onClose: () => void;
}

interface Option {
  id: string;
  heading: string;
  label: string;
  detail: string;
  icon: IconName;
  press: string | undefined;
  run: Command['run'];
}

const LABEL = 'Search applications, pages and actions';

/** Finds applications, pages and acts while the user types, and goes there. */
export function Palette({ groups, list, email, onGo, onClose }: PaletteProps) {
  const [text, setText] = useState('');
  const { search, again } = useFound(text, list === undefined ? undefined : email);
  const matcher = useMemo(() => matcherOf(text), [text]);
  const options = useMemo(
    () => [...commandsOf(groups, matcher), ...applicationsOf(search, list, text)],
    [groups, matcher, search, list, text],
  );

  function run({ run: way }: Option) {
    onClose();
    if (typeof way === 'string') onGo(way);
    else way();
  }

  // Enter before there are any results means the first result.
  const isAwaited = useRef(false);
  useEffect(() => {
    if (search.state === 'searching' || !isAwaited.current) return;
    isAwaited.current = false;
    if (options[0]) run(options[0]);
  });

  const { getRootProps, getInputLabelProps, getInputProps, getListboxProps, getOptionProps } =
    useAutocomplete<Option>({
      id: 'palette',
      options,
      filterOptions: (all) => all,
      // Identifies options: labels may be equal.
      getOptionLabel: ({ id }) => id,
      isOptionEqualToValue: (a, b) => a.id === b.id,
      open: true,
      autoHighlight: true,
      clearOnBlur: false,
      value: null,
      onChange: (_, option) => option && run(option),
      inputValue: text,
      onInputChange: (_, typed, reason) => reason === 'input' && setText(typed),
      onClose: (_, reason) => reason === 'escape' && onClose(),
    });

  function press({ key }: KeyboardEvent) {
    isAwaited.current = key === 'Enter' && options.length === 0 && search.state === 'searching';
  }

  return (
    <Dialog title="Search or go to" onClose={onClose} closeHref="#">
      <div className="palette">
        <div {...getRootProps()} className="palette-field">
          <label {...getInputLabelProps()} className="visually-hidden">
            {LABEL}
          </label>
          <Icon name="search" />
          <InputBase
            placeholder={LABEL}
            onKeyDown={press}
            inputProps={{ ...getInputProps(), maxLength: 200, enterKeyHint: 'go' }}
          />
        </div>
        {options.length > 0 ? (
          <ul {...getListboxProps()} className="palette-list">
            {grouped(options).map(({ heading, items }) => (
              <li key={heading} role="presentation">
                <p className="palette-heading" aria-hidden="true">
                  {heading}
                </p>
                <ul role="group" aria-label={heading}>
                  {items.map(({ option, index }) => {
                    const { key, ...rest } = getOptionProps({ option, index }) as { key: string };
                    return (
                      <li key={key} {...rest}>
                        <OptionLine {...option} matcher={matcher} />
                      </li>
                    );
                  })}
                </ul>
              </li>
            ))}
          </ul>
        ) : null}
        <Told search={search} text={text} count={options.length} onAgain={again} />
      </div>
    </Dialog>
  );
}

function OptionLine({ icon, label, detail, press, matcher }: Option & { matcher: Matcher }) {
  return (
    <>
      <Icon name={icon} />
      <span className="palette-label">
        <Marked text={label} matcher={matcher} />
      </span>
      {detail ? (
        <span className="palette-detail">
          <Marked text={detail} matcher={matcher} />
        </span>
      ) : null}
      {press ? <Kbd className="palette-press" press={press} /> : null}
    </>
  );
}

/** Highlights matches. */
function Marked({ text, matcher }: { text: string; matcher: Matcher }) {
  // Text and matches alternate.
  return matcher.split(text).map((piece, index) => (index % 2 === 0 ? piece : <b key={index}>{piece}</b>));
}

interface ToldProps {
  search: Search;
  text: string;
  count: number;
  onAgain: () => void;
}

/** The outcome of the search, also for assistive technology. */
function Told({ search, text, count, onAgain }: ToldProps) {
  const results = count === 1 ? '1 result' : `${count} results`;
  const isCounted =
    text.trim() !== '' && search.state !== 'searching' && (search.state === 'none' || count > 0);
  return (
    <div className="palette-told">
      <p role="status">
        {search.state === 'searching' ? 'Searching…' : null}
        {search.state === 'found' && search.applications.length === 0
          ? `No application matches “${text.trim()}”. `
          : null}
        {isCounted ? results : null}
      </p>
      {search.state === 'failed' ? (
        <p role="alert">
          {search.error}{' '}
          <Button type="button" variant="quiet" size="small" onClick={onAgain}>
            Try again
          </Button>
        </p>
      ) : null}
      <p className="palette-how" aria-hidden="true">
        <kbd>↑</kbd> <kbd>↓</kbd> to choose, <kbd>Enter</kbd> to open
      </p>
    </div>
  );
}

function commandsOf(groups: CommandGroup[], matcher: Matcher): Option[] {
  return groups.flatMap(({ heading, items }) =>
    items
      .filter(({ label }) => matcher.matches(label))
      .map(({ label, icon, run, press }) => ({
        id: `${heading}: ${label}`,
        heading,
        label,
        detail: '',
        icon,
        press,
        run,
      })),
  );
}

const HEADING = 'Applications';

function applicationsOf(search: Search, list: string | undefined, text: string): Option[] {
  if (search.state !== 'found' || list === undefined) return [];
  const found = search.applications.map((each) => optionOf(each, list));
  if (!search.hasMore) return found;
  const run = `${list}?${new URLSearchParams({ tab: 'all', q: text.trim() })}`;
  const label = `Show all that match “${text.trim()}”`;
  return [...found, { id: 'all', heading: HEADING, label, detail: '', icon: 'list', press: undefined, run }];
}

const optionOf = ({ id, name, detail }: FoundApplication, list: string): Option => ({
  id,
  heading: HEADING,
  label: name,
  detail,
  icon: 'file',
  press: undefined,
  run: `${list}/${id}`,
});

/** Groups consecutive options with the same heading, keeping their overall index. */
function grouped(options: Option[]) {
  const groups: { heading: string; items: { option: Option; index: number }[] }[] = [];
  for (const [index, option] of options.entries()) {
    const last = groups.at(-1);
    if (last?.heading === option.heading) last.items.push({ option, index });
    else groups.push({ heading: option.heading, items: [{ option, index }] });
  }
  return groups;
}
