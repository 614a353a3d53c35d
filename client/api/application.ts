// Loading and saving the applicant's application.

import { refused, resultOf, unanswered, type Failure, type Result } from './http';
import type { ProgramInfo } from './page.gen';
import type { components } from './schema.gen';
import { call } from './session';
import { t } from './texts';

/** The application as stored on the server. */
export type StoredApplication = components['schemas']['Application'];

interface SaveRequest {
  /** The changed answers, nested like `ApplicationData`; a list is replaced as a whole. */
  patch: object;
  applicationType: ProgramInfo['applicationType'];
  /** The revision that these answers are based on. */
  revision: number;
  /** The e-mail address of the applicant who gave these answers. */
  applicant: string;
  /** Turns the active application into one for `applicationType`; the applicant has agreed to that. */
  switchProgram?: boolean;
}

export type SaveFailure = Failure & {
  /** The server's current version, if newer than `revision`. */
  current?: StoredApplication;
};

export type SaveResult = { ok: true; application: StoredApplication } | SaveFailure;

const PATH = '/api/users/application';
const FAILED = t('We could not save your application.');

/** Browsers refuse larger bodies on a request that outlives its page. */
const KEEPALIVE_LIMIT = 60_000;

export async function saveApplication(request: SaveRequest): Promise<SaveResult> {
  const body = {
    ...request.patch,
    applicationType: request.applicationType,
    ...(request.switchProgram ? { switchProgram: true } : {}),
  };
  try {
    const answer = await call('POST', PATH, {
      as: request.applicant,
      body,
      headers: { 'If-Match': `"${request.revision}"` },
      keepalive: JSON.stringify(body).length < KEEPALIVE_LIMIT,
    });
    if (answer.status < 400) return { ok: true, application: answer.body as StoredApplication };
    const current = (answer.body as { current?: StoredApplication } | null)?.current;
    return { ...refused(answer, FAILED), ...(current ? { current } : {}) };
  } catch (thrown) {
    return unanswered(thrown, FAILED);
  }
}

/** Fails with the code `application.none` when there is no application. */
export function loadApplication(applicant: string): Promise<Result<{ application: StoredApplication }>> {
  return resultOf(
    call('GET', PATH, { as: applicant }),
    (body) => ({ application: body as StoredApplication }),
    t('We could not load your application'),
  );
}
