// The files that this page is sending: a few at a time, the others wait their turn.

import { t } from '../../api/texts';
import { startTransfer, type StartTransfer, type Transfer } from './transfer';

export type UploadState = 'waiting' | 'sending' | 'retrying' | 'paused' | 'failed';

/** A file on its way, as it is shown. */
export interface UploadView {
  key: number;
  slot: string;
  name: string;
  size: number;
  sent: number;
  state: UploadState;
  /** Why it failed. */
  error: string | null;
  /** Whether trying again makes sense. */
  canRetry: boolean;
  /** Known once the server has heard of it. */
  documentId: string | null;
}

interface Upload extends UploadView {
  file: File;
  transfer: Transfer | null;
}

interface UploadsOptions {
  /** Whose files they are, by e-mail address. */
  owner: string;
  maxBytes: number;
  onChange: (all: UploadView[]) => void;
  /** A file has arrived and is checked by now; it is in the list no more. */
  onSent: (name: string) => void;
  start?: StartTransfer;
}

/** Files that are sent at the same time. */
const AT_ONCE = 2;

/** Bytes, as limits are told in. */
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

  /** What can be said of a file before a byte of it is sent. */
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

  /** Goes on, after a pause or a failure. */
  resume(key: number): void {
    this.change(key, (upload) => {
      upload.state = 'waiting';
      upload.error = null;
    });
  }

  /** Forgets a file at once. The id of what has arrived of it, which whoever asked for this removes. */
  async drop(key: number): Promise<string | null> {
    const upload = this.all.find((one) => one.key === key);
    const paused = upload?.transfer?.pause();
    this.all = this.all.filter((one) => one !== upload);
    this.changed();
    return (await paused) ?? upload?.documentId ?? null;
  }

  /** The line is back: what was lost with it goes on. */
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
      // Its script could not be fetched.
      this.change(key, (one) => {
        one.state = 'failed';
        one.error = t('The connection is lost. Try again.');
        one.canRetry = true;
      });
      return;
    }
    // Paused or dropped while it was made ready.
    if (upload.state === 'sending' && this.all.includes(upload)) upload.transfer.start();
  }
}
