import { useId, useRef } from 'react';
import { Button } from './button';
import { TextField } from './field';
import { useHydrated } from './use-hydrated';

interface TimeZoneFieldProps {
  label: string;
  name: string;
  hint: string;
  error?: string | undefined;
  defaultValue: string;
  /** IANA names. */
  zones: string[];
}

/** A time zone, found by typing a part of its name; where there is JavaScript the device's own is offered. */
export function TimeZoneField({ zones, defaultValue, ...input }: TimeZoneFieldProps) {
  const list = useId();
  const box = useRef<HTMLDivElement>(null);
  const hydrated = useHydrated();

  function takeDevices() {
    const field = box.current?.querySelector('input');
    if (field) field.value = zoneLabel(Intl.DateTimeFormat().resolvedOptions().timeZone);
  }

  return (
    <div className="time-zone" ref={box}>
      <TextField
        {...input}
        list={list}
        autoComplete="off"
        spellCheck={false}
        defaultValue={zoneLabel(defaultValue)}
      />
      <datalist id={list}>
        {zones.map((zone) => (
          <option key={zone}>{zoneLabel(zone)}</option>
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

/** As people write it; the server takes it either way. */
export function zoneLabel(zone: string): string {
  return zone.replaceAll('_', ' ');
}
