// Parses the calendar entries written by src/domain/interview/ics.rs with a third-party parser.
import { readFileSync } from 'node:fs';
import ICAL from 'ical.js';
import { expect, test } from 'vitest';

/** The file, and the start of its entry in UTC. Each is written by tests/it/calendar.rs. */
const files: [name: string, start: string, method: string][] = [
  ['new-york-before-autumn', '2026-11-01T05:30:00Z', 'REQUEST'],
  ['new-york-after-autumn', '2026-11-01T06:30:00Z', 'REQUEST'],
  ['new-york-spring', '2027-03-14T07:00:00Z', 'CANCEL'],
  ['berlin', '2026-10-25T01:30:00Z', 'PUBLISH'],
  ['kiritimati', '2026-05-12T20:00:00Z', 'REQUEST'],
  ['kolkata', '2026-05-12T08:30:00Z', 'REQUEST'],
  ['lord-howe', '2026-10-03T15:45:00Z', 'REQUEST'],
  ['utc', '2026-05-12T08:30:00Z', 'REQUEST'],
];

test.each(files)('%s is read as the moment that it means', (name, start, method) => {
  const path = new URL(`../tests/cases/calendar/${name}.ics`, import.meta.url);
  const calendar = new ICAL.Component(ICAL.parse(readFileSync(path, 'utf8')));
  expect(calendar.getFirstPropertyValue('method')).toBe(method);

  const zone = calendar.getFirstSubcomponent('vtimezone');
  const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent')!);
  expect(event.startDate.zone?.tzid).toBe(zone ? zone.getFirstPropertyValue('tzid') : 'UTC');
  expect(event.startDate.toJSDate().toISOString()).toBe(start.replace('Z', '.000Z'));
  expect(event.endDate.toUnixTime() - event.startDate.toUnixTime()).toBe(40 * 60);

  expect(event.uid).toBe('0196@apply.example.org');
  expect(event.sequence).toBe(2);
  expect(event.summary).toBe('Interview; with \\ Test, Institute');
  expect(event.description).toMatch(/^Bring:\nyour passport “Ausweis” and a pen, so that/);
  expect(event.organizer).toBe('mailto:admissions@example.org');
  const attendee = event.attendees[0]!;
  expect([attendee.getParameter('cn'), attendee.getFirstValue()]).toEqual([
    'Zoë, Demo',
    'mailto:demo@example.org',
  ]);
});
