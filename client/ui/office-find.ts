import { useEffect, useState } from 'react';
import { resultOf } from '../api/http';
import type { components } from '../api/schema.gen';
import { call } from '../api/session';
import { removeToken } from '../api/tokens';

export interface FoundApplication {
  id: string;
  name: string;
  /** Reference and email address, as far as the role may see them. */
  detail: string;
}

export type Search =
  | { state: 'none' | 'searching' }
  | { state: 'found'; applications: FoundApplication[]; hasMore: boolean }
  | { state: 'failed'; error: string };

/** Maximum number of results; the list has the rest. */
const MAX = 8;
/** Milliseconds without further typing before a search starts. */
const PAUSE = 150;
/** Milliseconds until a search is aborted. */
const TIMEOUT = 10_000;

const NONE: Search = { state: 'none' };
const SEARCHING: Search = { state: 'searching' };

/** Returns the applications matching the typed text. None without the user's `email`. */
export function useFound(typed: string, email: string | undefined): { search: Search; again: () => void } {
  const [answer, setAnswer] = useState<{ to: string; search: Search }>();
  const [attempt, setAttempt] = useState(0);
  const asked = email !== undefined && /[\p{L}\p{N}]/u.test(typed) ? typed.trim() : '';
  const question = `${attempt} ${asked}`;
  useEffect(() => {
    if (asked === '' || email === undefined) return undefined;
    const newer = new AbortController();
    const timer = setTimeout(async () => {
      const search = await find(asked, email, newer.signal);
      if (!newer.signal.aborted) setAnswer({ to: question, search });
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      newer.abort();
    };
  }, [question, asked, email]);
  const again = () => setAttempt(attempt + 1);
  if (asked === '') return { search: NONE, again };
  return { search: answer?.to === question ? answer.search : SEARCHING, again };
}

/** Owner of the stored token: an earlier login in this browser may have left one behind. */
let owner: string | undefined;

async function find(typed: string, email: string, newer: AbortSignal): Promise<Search> {
  if (owner !== email) {
    removeToken('admin_token');
    owner = email;
  }
  const query = new URLSearchParams({ tab: 'all', pageSize: String(MAX), q: typed });
  const signal = AbortSignal.any([newer, AbortSignal.timeout(TIMEOUT)]);
  const result = await resultOf(
    call('GET', `/api/admins/applications?${query}`, { signal }),
    (body) => body as components['schemas']['ApplicationList'],
    'The search did not work.',
    'The server cannot be reached.',
  );
  if (!result.ok) return { state: 'failed', error: result.error };
  return {
    state: 'found',
    applications: result.applications.map(told),
    hasMore: result.next !== undefined,
  };
}

function told(each: components['schemas']['ListedApplication']): FoundApplication {
  const { id, firstName, lastName, email } = each;
  const name = `${firstName} ${lastName}`.trim();
  const reference = each.reference ?? '';
  return { id, name, detail: [reference === name ? '' : reference, email].filter(Boolean).join(' · ') };
}
