// Uploads one file with the tus protocol: in pieces of a megabyte, each safe once it is answered. Resumes where it
// stopped if the connection is lost, the page is reloaded or the server restarts.

import { bearerOf, uploadsUrl } from '../../api/documents';
import { t } from '../../api/texts';

/** Bytes per piece, and therefore the most that is sent again. */
const PIECE = 1024 * 1024;
/** Milliseconds to wait after each failure. Any progress restarts the sequence. */
const PAUSES = [0, 1000, 3000, 5000, 10_000, 20_000, 30_000];

export const LINE_LOST = t('The connection is lost. What has arrived is safe.');

export interface TransferOptions {
  file: File;
  slot: string;
  /** E-mail address of the file's owner. */
  owner: string;
  /** Reports the bytes that have arrived, and the id of the document they belong to. */
  onProgress: (sent: number, documentId: string | null) => void;
  /** Called before a retry, which follows after a pause. */
  onRetry: () => void;
  onSent: () => void;
  /** Ends the transfer unless it is started again. `lost` is true if only the connection is to blame. */
  onFailed: (sentence: string, lost: boolean) => void;
}

export interface Transfer {
  start: () => void;
  /** Pauses the transfer. Resolves to the id of its document, if the server knows of it. */
  pause: () => Promise<string | null>;
}

export type StartTransfer = (options: TransferOptions) => Promise<Transfer>;

interface Answered {
  originalResponse: { getStatus: () => number; getBody: () => string } | null;
}

const statusOf = (error: unknown) => (error as Partial<Answered>).originalResponse?.getStatus() ?? 0;

/** Returns the server's sentence, or one for no answer. */
export function sentenceOf(error: unknown): string {
  try {
    const body = JSON.parse((error as Answered).originalResponse?.getBody() ?? '') as { error?: unknown };
    if (typeof body.error === 'string' && body.error !== '') return body.error;
  } catch {
    // No answer, or one from a proxy.
  }
  return LINE_LOST;
}

/** Whether a retry may succeed: no answer, or the server was busy or at another offset. */
export const isPassing = (status: number) =>
  status === 0 || status >= 500 || [401, 408, 409, 423, 429].includes(status);

/** Returns the id at the end of an upload's address. */
export const documentIdOf = (url: string | null) => url?.split('/').at(-1) ?? null;

export const startTransfer: StartTransfer = async (options) => {
  const { file, slot, owner } = options;
  // Loaded only when a file is uploaded.
  const { Upload } = await import('tus-js-client');
  let token: string | null = null;
  let isPaused = false;
  // A request that creates the document is not aborted halfway: the client would not learn of the document.
  let isCreating = false;
  let onAnswered: (() => void) | null = null;
  const upload = new Upload(file, {
    endpoint: uploadsUrl(),
    chunkSize: PIECE,
    retryDelays: PAUSES,
    metadata: { filename: file.name, slot },
    removeFingerprintOnSuccess: true,
    // The same file from the same owner for the same document resumes where it stopped.
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
