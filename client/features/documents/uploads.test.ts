import { expect, test } from 'vitest';
import { documentIdOf, isPassing, LINE_LOST, sentenceOf, type TransferOptions } from './transfer';
import { MEGABYTE, Uploads, type UploadView } from './uploads';

/** Creates a queue whose files advance when the test says so. */
function world() {
  const transfers = new Map<string, TransferOptions & { calls: string[] }>();
  let shown: UploadView[] = [];
  const arrived: string[] = [];
  const uploads = new Uploads({
    owner: 'demo@example.org',
    maxBytes: MEGABYTE,
    onChange: (all) => (shown = all),
    onSent: (name) => arrived.push(name),
    start(options) {
      const calls: string[] = [];
      transfers.set(options.file.name, { ...options, calls });
      return Promise.resolve({
        start: () => calls.push('start'),
        pause() {
          calls.push('pause');
          return Promise.resolve(`id of ${options.file.name}`);
        },
      });
    },
  });
  return {
    uploads,
    arrived,
    transfer: (name: string) => transfers.get(name)!,
    states: () => shown.map(({ name, state }) => `${name} ${state}`),
    of: (name: string) => shown.find((upload) => upload.name === name)!,
  };
}

const file = (name: string, size = 10) => new File([new Uint8Array(size)], name);
/** Waits until everything that was started has begun. */
const soon = () => new Promise((resolve) => setTimeout(resolve));

test('two files are sent at a time, the others wait for their turn', async () => {
  const { uploads, states, transfer, arrived } = world();
  uploads.add('identity', [file('a'), file('b'), file('c')]);
  await soon();
  expect(states()).toEqual(['a sending', 'b sending', 'c waiting']);
  expect(transfer('a').calls).toEqual(['start']);
  transfer('a').onSent();
  await soon();
  expect(arrived).toEqual(['a']);
  expect(states()).toEqual(['b sending', 'c sending']);
});

test('what cannot be taken is told at once and holds nobody up', async () => {
  const { uploads, states, of } = world();
  uploads.add('identity', [file('empty', 0), file('huge', MEGABYTE + 1), file('good')]);
  await soon();
  expect(states()).toEqual(['empty failed', 'huge failed', 'good sending']);
  expect(of('empty').error).toBe('The file is empty.');
  expect(of('huge').error).toBe('The file is larger than 1 MB.');
  expect(of('huge').canRetry).toBe(false);
});

test('a pause gives the turn to another file, and what was paused goes on', async () => {
  const { uploads, states, transfer, of } = world();
  uploads.add('identity', [file('a'), file('b'), file('c')]);
  await soon();
  uploads.pause(of('a').key);
  await soon();
  expect(states()).toEqual(['a paused', 'b sending', 'c sending']);
  uploads.resume(of('a').key);
  await soon();
  expect(states()).toEqual(['a waiting', 'b sending', 'c sending']);
  transfer('b').onSent();
  await soon();
  expect(transfer('a').calls).toEqual(['start', 'pause', 'start']);
});

test('progress is shown, a bad line is waited for, and a lost one goes on when it is back', async () => {
  const { uploads, transfer, of } = world();
  uploads.add('identity', [file('a', 100)]);
  await soon();
  transfer('a').onProgress(40, 'id-1');
  expect(of('a')).toMatchObject({ sent: 40, documentId: 'id-1', state: 'sending' });
  transfer('a').onRetry();
  expect(of('a').state).toBe('retrying');
  transfer('a').onProgress(60, 'id-1');
  expect(of('a').state).toBe('sending');
  transfer('a').onFailed(LINE_LOST, true);
  expect(of('a')).toMatchObject({ state: 'failed', error: LINE_LOST, canRetry: true });
  uploads.online();
  await soon();
  expect(of('a')).toMatchObject({ state: 'sending', error: null, sent: 60 });
  expect(transfer('a').calls).toEqual(['start', 'start']);
});

test('a refused file is not tried again by itself, and can be dismissed', async () => {
  const { uploads, transfer, of, states } = world();
  uploads.add('identity', [file('a')]);
  await soon();
  transfer('a').onFailed('Allowed types: PDF, JPEG, PNG, HEIC, DOCX.', false);
  uploads.online();
  expect(of('a').state).toBe('failed');
  expect(await uploads.drop(of('a').key)).toBe('id of a');
  expect(states()).toEqual([]);
  expect(uploads.isBusy).toBe(false);
});

test('the server’s sentence is told, and its silence too', () => {
  const answered = (body: string) => ({ originalResponse: { getStatus: () => 422, getBody: () => body } });
  expect(sentenceOf(answered('{"error":"The file is empty."}'))).toBe('The file is empty.');
  expect(sentenceOf(answered('<html>'))).toBe(LINE_LOST);
  expect(sentenceOf(new Error('network'))).toBe(LINE_LOST);
  expect([0, 401, 409, 503].every(isPassing)).toBe(true);
  expect([400, 404, 413, 422].some(isPassing)).toBe(false);
  expect(documentIdOf('/api/users/documents/uploads/id-1')).toBe('id-1');
  expect(documentIdOf(null)).toBeNull();
});
