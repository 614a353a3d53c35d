// Files to upload.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';

/** Returns a valid, incompressible PDF of about `size` bytes. */
export function pdf(size: number): Buffer {
  const head =
    '%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj\n' +
    '3 0 obj\n<</Length 9>>\nstream\n';
  const tail = '\nendstream\nendobj\ntrailer\n<</Root 1 0 R>>\nstartxref\n9\n%%EOF\n';
  const body = Buffer.alloc(Math.max(0, size - head.length - tail.length));
  let state = 1;
  for (let at = 0; at < body.length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    body[at] = 65 + (state >>> 28);
  }
  return Buffer.concat([Buffer.from(head), body, Buffer.from(tail)]);
}

/** Provides a test with a file on disk, which remains the same file when chosen again. */
export async function withFile(
  name: string,
  content: Buffer,
  use: (path: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-files-'));
  try {
    const path = join(folder, name);
    await writeFile(path, content);
    await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Downloads a file like a user, and compares its content. */
export async function expectSaved(page: Page, name: string, content: Buffer): Promise<void> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name, exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(name);
  expect((await readFile(await download.path())).equals(content), 'what is saved is what was sent').toBe(
    true,
  );
}
