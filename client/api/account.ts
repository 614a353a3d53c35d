// The applicant's own account: profile, password, sessions.

import type { Result } from './http';
import { resultOf, type User } from './session';

export interface ProfileChange {
  firstName?: string;
  lastName?: string;
  /** YYYY-MM-DD */
  dateOfBirth?: string;
  phoneNumber?: string;
  country?: string;
  /** Null outside the United States. */
  state?: string | null;
  /** IANA name. */
  timeZone?: string;
}

export function updateProfile(change: ProfileChange): Promise<Result<{ user: User }>> {
  return resultOf('PATCH', '/api/users/profile', { body: change }, (body) => ({ user: body as User }), {
    refused: 'Update failed',
    unanswered: 'An error occurred',
  });
}

export function changePassword(currentPassword: string, password: string): Promise<Result> {
  return resultOf('POST', '/api/users/password', { body: { currentPassword, password } }, () => ({}));
}

export function endSession(id: string): Promise<Result> {
  return resultOf('DELETE', `/api/users/sessions/${encodeURIComponent(id)}`, {}, () => ({}));
}

/** Every session but this one. */
export function endOtherSessions(): Promise<Result> {
  return resultOf('DELETE', '/api/users/sessions', {}, () => ({}));
}
