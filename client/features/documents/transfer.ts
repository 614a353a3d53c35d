// One file on its way, by the tus protocol: in pieces of a megabyte, each safe when it is answered, and from where it
// stopped when the line breaks, the page is loaded again or the server restarts.

import { bearerOf, uploadsUrl } from '../../api/documents';
import { t } from '../../api/texts';

/** Bytes of a piece: what is sent again at most. */
const PIECE = 1024 * 1024;
/** Milliseconds of waiting after each failure. Any progress starts the row anew. */
const PAUSES = [0, 1000, 3000, 5000, 10_000, 20_000, 30_000];

export const LINE_LOST = t('The connection is lost. What has arrived is safe.');

export interface TransferOptions {
  file: File;
  slot: string;
  /** Whose file it is, by e-mail address. */
  owner: string;
  /** Bytes that have arrived, and the id of the document they belong to. */
  onProgress: (sent: number, documentId: string | null) => void;
  /** It is tried again after a pause. */
  onRetry: () => void;
  onSent: () => void;
  /** It is over unless it is started again. `lost` tells that nothing but the line is to blame. */
  onFailed: (sentence: string, lost: boolean) => void;
}

export interface Transfer {
  start: () => void;
  /** The id of the document that it belongs to, if the server has heard of it: known when this is fulfilled. */
  pause: () => Promise<string | null>;
}

export type StartTransfer = (options: TransferOptions) => Promise<Transfer>;

interface Answered {
  originalResponse: { getStatus: () => number; getBody: () => string } | null;
}

const statusOf = (error: unknown) => (error as Partial<Answered>).originalResponse?.getStatus() ?? 0;

/** What the server said, or that it said nothing. */
export function sentenceOf(error: unknown): string {
  try {
    const body = JSON.parse((error as Answered).originalResponse?.getBody() ?? '') as { error?: unknown };
    if (typeof body.error === 'string' && body.error !== '') return body.error;
  } catch {
    // No answer, or that of a proxy.
  }
  return LINE_LOST;
}

/** Whether it may work in a moment: nothing came back, or the server was busy, or at another byte. */
export const isPassing = (status: number) =>
  status === 0 || status >= 500 || [401, 408, 409, 423, 429].includes(status);

/** The id at the end of an upload's address. */
export const documentIdOf = (url: string | null) => url?.split('/').at(-1) ?? null;

export const startTransfer: StartTransfer = async (options) => {
  const { file, slot, owner } = options;
  // Fetched when somebody sends a file, and not before.
  const { Upload } = await import('tus-js-client');
  let token: string | null = null;
  let isPaused = false;
  // A request that makes the document is not given up halfway: nobody would know of what it made.
  let isCreating = false;
  let onAnswered: (() => void) | null = null;
  const upload = new Upload(file, {
    endpoint: uploadsUrl(),
    chunkSize: PIECE,
    retryDelays: PAUSES,
    metadata: { filename: file.name, slot },
    removeFingerprintOnSuccess: true,
    // The same file of the same person for the same document goes on where it stopped.
    fingerprint: () =>
      Promise.resolve(
        ['matricula-upload', owner, slot, file.name, String(file.size), String(file.lastModified)].join(' '),
      ),
    async onBeforeRequest(request) {
      if (request.getMethod() === 'POST') isCreating = true;
      token ??= await bearerOf(owner);
      if (token !== null) request.setHeader('Authorization', `Bearer ${token}`);
    },
    onUploadUrlAvailable() {
      isCreating = false;
      if (!isPaused) return;
      void upload.abort();
      onAnswered?.();
    },
    onShouldRetry(error) {
      isCreating = false;
      if (isPaused) return false;
      const status = statusOf(error);
      if (status === 401) token = null;
      if (isPassing(status)) options.onRetry();
      return isPassing(status);
    },
    onChunkComplete: (_, sent) => options.onProgress(sent, documentIdOf(upload.url)),
    onProgress: (sent) => options.onProgress(sent, documentIdOf(upload.url)),
    onSuccess: options.onSent,
    onError(error) {
      isCreating = false;
      if (isPaused) onAnswered?.();
      else options.onFailed(sentenceOf(error), isPassing(statusOf(error)));
    },
  });
  const [known] = await upload.findPreviousUploads();
  if (known) upload.resumeFromPreviousUpload(known);
  return {
    start() {
      isPaused = false;
      if (isCreating) return;
      isCreating = upload.url === null;
      upload.start();
    },
    async pause() {
      isPaused = true;
      if (isCreating) await new Promise<void>((resolve) => (onAnswered = resolve));
      else void upload.abort();
      return documentIdOf(upload.url);
    },
  };
};
