// The applicant's own account: profile, password, sessions.

import { resultOf, type Answer, type Result } from './http';
import type { components } from './schema.gen';
import { call } from './session';
import { t } from './texts';

type ProfileChange = components['schemas']['ProfileChange'];

const FAILED = t('An error occurred');

export function updateProfile(change: ProfileChange): Promise<Result> {
  return done(call('PATCH', '/api/users/profile', { body: change }), t('Update failed'));
}

export function changePassword(currentPassword: string, password: string): Promise<Result> {
  return done(call('POST', '/api/users/password', { body: { currentPassword, password } }));
}

export function endSession(id: string): Promise<Result> {
  return done(call('DELETE', `/api/users/sessions/${encodeURIComponent(id)}`));
}

/** Ends every session except the current one. */
export function endOtherSessions(): Promise<Result> {
  return done(call('DELETE', '/api/users/sessions'));
}

/** For calls where only the outcome matters. */
function done(answer: Promise<Answer>, refusal = FAILED): Promise<Result> {
  return resultOf(answer, () => ({}), refusal, FAILED);
}
