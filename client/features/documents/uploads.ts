// The queue of files that this page uploads: a few at a time, the others wait their turn.

import { t } from '../../api/texts';
import { startTransfer, type StartTransfer, type Transfer } from './transfer';

export type UploadState = 'waiting' | 'sending' | 'retrying' | 'paused' | 'failed';

/** A file being uploaded, as shown. */
export interface UploadView {
  key: number;
  slot: string;
  name: string;
  size: number;
  sent: number;
  state: UploadState;
  /** Why it failed. */
  error: string | null;
  /** Whether a retry makes sense. */
  canRetry: boolean;
  /** Known once the server knows of the file. */
  documentId: string | null;
}

interface Upload extends UploadView {
  file: File;
  transfer: Transfer | null;
}

interface UploadsOptions {
  /** E-mail address of the files' owner. */
  owner: string;
  maxBytes: number;
  onChange: (all: UploadView[]) => void;
  /** Called when a file has arrived and left the list; the server is now checking it. */
  onSent: (name: string) => void;
  start?: StartTransfer;
}

/** Number of files uploaded at the same time. */
const AT_ONCE = 2;

/** In bytes; the unit in which limits are stated. */
export const MEGABYTE = 2 ** 20;

export class Uploads {
  private all: Upload[] = [];
  private nextKey = 1;

  constructor(private readonly options: UploadsOptions) {}

  add(slot: string, files: Iterable<File>): void {
    for (const file of files) {
      const error = this.wrong(file);
      this.all.push({
        key: this.nextKey++,
        slot,
        name: file.name,
        size: file.size,
        sent: 0,
        state: error ? 'failed' : 'waiting',
        error,
        canRetry: false,
        documentId: null,
        file,
        transfer: null,
      });
    }
    this.changed();
  }

  /** Returns an error that can be detected before sending anything. */
  private wrong(file: File): string | null {
    if (file.size === 0) return t('The file is empty.');
    const { maxBytes } = this.options;
    const megabytes = maxBytes / MEGABYTE;
    if (file.size > maxBytes) return t`The file is larger than ${megabytes} MB.`;
    return null;
  }

  pause(key: number): void {
    this.change(key, (upload) => {
      void upload.transfer?.pause();
      upload.state = 'paused';
    });
  }

  /** Continues after a pause or a failure. */
  resume(key: number): void {
    this.change(key, (upload) => {
      upload.state = 'waiting';
      upload.error = null;
    });
  }

  /** Forgets a file at once. Returns the id of what has arrived of it, for the caller to remove. */
  async drop(key: number): Promise<string | null> {
    const upload = this.all.find((one) => one.key === key);
    const paused = upload?.transfer?.pause();
    this.all = this.all.filter((one) => one !== upload);
    this.changed();
    return (await paused) ?? upload?.documentId ?? null;
  }

  /** Called when the connection is back: resumes what failed because of it. */
  online(): void {
    for (const upload of this.all) if (upload.state === 'failed' && upload.canRetry) this.resume(upload.key);
  }

  /** Whether leaving the page would interrupt something. */
  get isBusy(): boolean {
    return this.all.some(({ state }) => state === 'waiting' || state === 'sending' || state === 'retrying');
  }

  stop(): void {
    for (const upload of this.all) void upload.transfer?.pause();
    this.all = [];
  }

  private change(key: number, change: (upload: Upload) => void): void {
    const upload = this.all.find((one) => one.key === key);
    if (!upload) return;
    change(upload);
    this.changed();
  }

  private changed(): void {
    const sending = this.all.filter(({ state }) => state === 'sending' || state === 'retrying').length;
    const next = this.all.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, AT_ONCE - sending));
    for (const upload of next) {
      upload.state = 'sending';
      void this.begin(upload);
    }
    this.options.onChange(
      this.all.map(({ file: _file, transfer: _transfer, ...view }) => ({ ...view }) satisfies UploadView),
    );
  }

  private async begin(upload: Upload): Promise<void> {
    const { key } = upload;
    const start = this.options.start ?? startTransfer;
    try {
      upload.transfer ??= await start({
        file: upload.file,
        slot: upload.slot,
        owner: this.options.owner,
        onProgress: (sent, documentId) =>
          this.change(key, (one) => {
            one.sent = sent;
            one.documentId = documentId;
            if (one.state === 'retrying') one.state = 'sending';
          }),
        onRetry: () => this.change(key, (one) => (one.state = 'retrying')),
        onSent: () => {
          this.all = this.all.filter((one) => one.key !== key);
          this.changed();
          this.options.onSent(upload.name);
        },
        onFailed: (sentence, lost) =>
          this.change(key, (one) => {
            one.state = 'failed';
            one.error = sentence;
            one.canRetry = lost;
          }),
      });
    } catch {
      // Its script could not be loaded.
      this.change(key, (one) => {
        one.state = 'failed';
        one.error = t('The connection is lost. Try again.');
        one.canRetry = true;
      });
      return;
    }
    // It may have been paused or dropped while it was being prepared.
    if (upload.state === 'sending' && this.all.includes(upload)) upload.transfer.start();
  }
}
