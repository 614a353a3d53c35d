import InputBase from '@mui/material/InputBase';
import { useId, useMemo, useRef, useState } from 'react';
import { Button } from './button';
import { Field } from './field';
import { part } from './part';
import type { TimeZoneChoiceProps } from './time-zone-choice';
import { useHydrated } from './use-hydrated';

const TimeZoneChoice = part<TimeZoneChoiceProps>(
  async () => (await import('./time-zone-choice')).TimeZoneChoice,
);

interface TimeZoneFieldProps {
  label: string;
  name: string;
  hint: string;
  error?: string | undefined;
  defaultValue: string;
  /** IANA names. */
  zones: string[];
}

/**
 * A time zone input that searches by part of the name: with the browser's own list, and with Material UI's Autocomplete
 * once that is loaded. With JavaScript it offers the device's time zone.
 */
export function TimeZoneField({ label, name, hint, error, zones, defaultValue }: TimeZoneFieldProps) {
  const list = useId();
  const plain = useRef<HTMLInputElement>(null);
  const hydrated = useHydrated();
  // Undefined while the text is in the native input.
  const [choice, setChoice] = useState<{ text: string; autoFocus: boolean }>();
  const labels = useMemo(() => zones.map(zoneLabel), [zones]);

  async function choose() {
    try {
      await TimeZoneChoice.load();
    } catch {
      return;
    }
    const input = plain.current;
    if (input) setChoice({ text: input.value, autoFocus: input === document.activeElement });
  }

  function takeDevices() {
    const text = zoneLabel(Intl.DateTimeFormat().resolvedOptions().timeZone);
    if (plain.current) plain.current.value = text;
    else setChoice({ text, autoFocus: false });
  }

  return (
    <div className="time-zone">
      <Field label={label} hint={hint} error={error} name={name}>
        {({ id, describedBy }) =>
          choice ? (
            <TimeZoneChoice
              {...{ id, describedBy, name }}
              isInvalid={Boolean(error)}
              zones={labels}
              defaultValue={zoneLabel(defaultValue)}
              text={choice.text}
              onText={(text) => setChoice({ text, autoFocus: false })}
              autoFocus={choice.autoFocus}
            />
          ) : (
            <InputBase
              inputRef={plain}
              inputProps={{
                type: 'text',
                name,
                list,
                autoComplete: 'off',
                spellCheck: false,
                defaultValue: zoneLabel(defaultValue),
                onFocus: () => void choose(),
                id,
                'aria-describedby': describedBy,
                'aria-invalid': error ? true : undefined,
              }}
            />
          )
        }
      </Field>
      <datalist id={list}>
        {labels.map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </datalist>
      {hydrated ? (
        <Button variant="quiet" type="button" onClick={takeDevices}>
          Use this device’s time zone
        </Button>
      ) : null}
    </div>
  );
}

/** Formats a zone for display; the server accepts both forms. */
export function zoneLabel(zone: string): string {
  return zone.replaceAll('_', ' ');
}
