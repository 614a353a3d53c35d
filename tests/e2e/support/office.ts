// Staff acts from the command line.

import type { Server } from './server';

const DECIDER = 'decider@example.org';
const employed = new WeakSet<Server>();

/** Runs `matricula decide …` as a decider, with the clock set back by that many minutes. */
export function decide(server: Server, reference: string, parts: string[], minutesAgo = 0): string {
  if (!employed.has(server)) {
    server.command(
      ['admin', 'create', '--email', DECIDER, '--role', 'decider'],
      'six words that nobody would guess',
    );
    employed.add(server);
  }
  const [act, ...rest] = parts;
  const which = ['--reference', reference, '--by', DECIDER];
  return server.command(['decide', act!, ...which, ...rest, `--clock-ahead=${-minutesAgo}`]);
}

/** Accepts an applicant without an interview, which they can see after the hold. */
export function accept(server: Server, reference: string, minutesAgo = 0, conditions: string[] = []): string {
  const all = conditions.flatMap((condition) => ['--condition', condition]);
  const parts = [
    'accept',
    '--waive-interview',
    'Known to us',
    '--without-documents',
    'Seen on paper',
    '--release',
    ...all,
  ];
  return decide(server, reference, parts, minutesAgo);
}

export function reject(server: Server, reference: string, minutesAgo = 0): string {
  const parts = [
    'reject',
    '--reason',
    'places',
    '--reason',
    'experience',
    '--tell',
    'places',
    '--without-documents',
    'Seen on paper',
    '--release',
  ];
  return decide(server, reference, parts, minutesAgo);
}

/** Requests changes in these sections, due within a month. */
export function requestChanges(
  server: Server,
  reference: string,
  sections: string[],
  message: string,
): string {
  const dueOn = new Date(Date.now() + 30 * 24 * 3600 * 1000).toISOString().slice(0, 10);
  const named = sections.flatMap((section) => ['--section', section]);
  return decide(server, reference, ['request-changes', ...named, '--message', message, '--due-on', dueOn]);
}
