// One page rendered, one redirect, one application saved, on the binary that MATRICULA_BIN names.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

const binary = process.env.MATRICULA_BIN ?? 'target/debug/matricula-quickjs';
let server, base, folder;

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => probe.once('listening', listening));
  const { port } = probe.address();
  await new Promise((closed) => probe.close(closed));
  return port;
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'matricula-smoke-'));
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  const env = { PATH: process.env.PATH, MATRICULA_DATA_DIR: folder, MATRICULA_BIND: `127.0.0.1:${port}` };
  server = spawn(binary, [], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = new Promise((_, reject) =>
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}`))),
  );
  const ready = (async () => {
    for (;;) {
      const answer = await fetch(`${base}/readyz`).catch(() => null);
      if (answer?.ok) return;
      await new Promise((later) => setTimeout(later, 100));
    }
  })();
  await Promise.race([ready, exited]);
  exited.catch(() => {});
});

after(async () => {
  server.kill('SIGTERM');
  await new Promise((exited) => server.once('exit', exited));
  await rm(folder, { recursive: true });
});

test('a page is rendered', async () => {
  const answer = await fetch(`${base}/bachelor/apply?dialog=register`);
  assert.equal(answer.status, 200);
  const html = await answer.text();
  assert.match(html, /<h1[^>]*>[^<]*Bachelor/);
  assert.match(html, /Create Your Admissions Account/);
});

test('a guard redirects', async () => {
  const answer = await fetch(`${base}/dashboard`, { redirect: 'manual' });
  assert.equal(answer.status, 302);
  assert.equal(answer.headers.get('location'), '/bachelor/apply?dialog=login&redirect=%2Fdashboard');
});

test('an application is saved', async () => {
  const post = (path, body, headers = {}) =>
    fetch(base + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const registered = await post('/api/users/register', {
    firstName: 'Demo',
    lastName: 'Sample',
    email: 'demo@example.org',
    password: 'correct horse battery staple',
    dateOfBirth: '1990-02-28',
    phoneNumber: '+15550100199',
    country: 'US',
    state: 'TX',
  });
  assert.equal(registered.status, 201);
  const { token } = await registered.json();
  const authorization = { Authorization: `Bearer ${token}` };
  const answers = { applicationType: 'ba', personalInfo: { isUSCitizen: false } };
  const saved = await post('/api/users/application', answers, authorization);
  assert.equal(saved.status, 200);
  const loaded = await fetch(`${base}/api/users/application`, { headers: authorization });
  assert.equal((await loaded.json()).data.personalInfo.isUSCitizen, false);
});
