// Part four of make bench: attackers and careless clients. Measures the process's memory and open files before each
// attack, their peak during it and five seconds after it, and how long another user waits meanwhile.
//
//   node bench/attacks.mjs [binary]
import { deflateRawSync, deflateSync, crc32 } from 'node:zlib';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { argv, stdout } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { register } from './applicants.mjs';
import * as processes from './processes.mjs';

const product = resolve(argv[2] ?? 'target/dist/matricula');
const MB = 1_000_000;
const UPLOADS = '/api/users/documents/uploads';
const ADDRESS = 'x-forwarded-for';

const state = ({ pid }) => ({
  megabytes: processes.memory(pid).rss,
  files: readdirSync(`/proc/${pid}/fd`).length,
});

/** A user at another address who logs in. Returns the milliseconds it took, or what went wrong. */
async function bystander(server) {
  const began = performance.now();
  const body = JSON.stringify({ email: 'applicant-0@example.org', password: 'river lantern quiet 42' });
  const headers = { 'content-type': 'application/json', [ADDRESS]: '198.51.100.7' };
  const answer = await processes.fetchRaw(server.address, '/api/users/login', {
    method: 'POST',
    headers,
    body,
  });
  return answer.status === 200 ? performance.now() - began : Number.NaN;
}

/** Runs an attack and watches the process until five seconds after it. */
async function attacked(server, name, attack) {
  const before = state(server);
  const most = { ...before };
  const watching = setInterval(() => {
    const now = state(server);
    most.megabytes = Math.max(most.megabytes, now.megabytes);
    most.files = Math.max(most.files, now.files);
  }, 50);
  const told = await attack();
  await sleep(5000);
  clearInterval(watching);
  const after = state(server);
  const row = [before, most, after].map(({ megabytes, files }) => `${megabytes.toFixed(0)} MB ${files}`);
  stdout.write(`${name.padEnd(52)}${row.map((cell) => cell.padStart(14)).join('')}   ${told}\n`);
}

/** Returns how often each status occurred: "200 3, 429 37". */
function counted(answers) {
  const counts = new Map();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${status} ${count}`).join(', ');
}

const tus = (token, headers = {}) => ({
  authorization: `Bearer ${token}`,
  'tus-resumable': '1.0.0',
  ...headers,
});

const base64 = (text) => Buffer.from(text).toString('base64');

/** Uploads a file and returns the address of its upload. */
async function upload(server, token, name, content) {
  const metadata = `filename ${base64(name)},slot ${base64('identity')}`;
  const length = String(content.length);
  const created = await processes.fetchRaw(server.address, UPLOADS, {
    method: 'POST',
    headers: tus(token, { 'upload-length': length, 'upload-metadata': metadata }),
  });
  if (created.status !== 201) throw new Error(`${name}: ${created.status} ${created.body}`);
  const path = created.headers.location.replace(/^https?:\/\/[^/]+/, '');
  const headers = tus(token, { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' });
  await processes.fetchRaw(server.address, path, { method: 'PATCH', headers, body: content });
  return path;
}

/** Waits until none of this applicant's files is being checked any more. Returns the files' states. */
async function settled(server, token) {
  for (;;) {
    const { body } = await processes.fetchRaw(server.address, '/api/users/documents', {
      headers: { authorization: `Bearer ${token}` },
    });
    const files = JSON.parse(body).slots.flatMap((slot) => slot.files);
    if (files.every((file) => file.state !== 'checking')) return files.map((file) => file.state).join(', ');
    await sleep(50);
  }
}

/** A PDF of one empty page. */
const pdf = (length) => {
  const start = Buffer.from(
    '%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n' +
      '3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>\nendobj\n4 0 obj\n<</Length 9>>\nstream\n',
  );
  const end = Buffer.from('\nendstream\nendobj\ntrailer\n<</Root 1 0 R>>\nstartxref\n9\n%%EOF\n');
  return Buffer.concat([start, Buffer.alloc(length - start.length - end.length, 'A'), end]);
};

/** A zip of the given files, each compressed. */
function zip(files) {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content, { level: 9 });
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(crc32(content), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(content.length, 18);
    head.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), head, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), head, rest, Buffer.from(name)]));
    parts.push(local);
    at += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, listed, Buffer.from('PK\x05\x06'), end]);
}

/** A Word document with a single text of the given number of megabytes. */
const docx = (megabytes) =>
  zip({
    '[Content_Types].xml':
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    'word/document.xml': Buffer.concat([
      Buffer.from(
        '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>',
      ),
      Buffer.alloc(megabytes * MB, 'a'),
      Buffer.from('</w:t></w:r></w:p></w:body></w:document>'),
    ]),
  });

/** A picture with 16 bits per channel whose pixels take the given number of megabytes. */
function png(megabytes) {
  const side = Math.floor(Math.sqrt((megabytes * MB) / 8));
  const chunk = (kind, data) => {
    const text = Buffer.concat([Buffer.from(kind), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(text));
    return Buffer.concat([length, text, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([16, 6, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc(side * (side * 8 + 1)), { level: 9 });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Opens a connection, sends some text and reads nothing. */
async function open(server, text) {
  const [host, port] = server.address.split(':');
  const socket = connect(Number(port), host).on('error', () => undefined);
  await new Promise((done) => socket.once('connect', done).once('close', done));
  socket.pause();
  socket.write(text);
  return socket;
}

async function main(folder) {
  const address = `127.0.0.1:${await processes.freePort()}`;
  const environment = {
    MATRICULA_DATA_DIR: join(folder, 'data'),
    MATRICULA_BIND: address,
    MATRICULA_REGISTRATIONS_PER_HOUR: '1000',
    MATRICULA_TRUSTED_PROXIES: '127.0.0.1',
  };
  const server = {
    ...processes.start('matricula', product, ['serve'], { environment, cwd: folder }),
    address,
  };
  await processes.untilAnswered(server, address, '/readyz');
  const people = await register(address, 6);
  const [, first, second, third, fourth, fifth] = people;
  stdout.write(
    `${'attack'.padEnd(52)}${['before', 'most', 'after'].map((head) => head.padStart(14)).join('')}   answers\n`,
  );

  const path = await upload(server, first.token, 'a.pdf', pdf(25 * MB - 1000));
  await settled(server, first.token);
  await attacked(server, '40 empty PATCHes to a finished upload of 25 MB', async () => {
    const headers = tus(first.token, {
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(25 * MB - 1000),
    });
    const sent = Array.from({ length: 40 }, () =>
      processes.fetchRaw(address, path, { method: 'PATCH', headers, body: '' }),
    );
    return counted(await Promise.all(sent));
  });

  await attacked(server, '530 connections that do not read their archive', async () => {
    const body = JSON.stringify({ currentPassword: 'river lantern quiet 42' });
    const asked = `POST /api/users/personal-data HTTP/1.1\r\nhost: ${address}\r\nauthorization: Bearer ${first.token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const sockets = await Promise.all(Array.from({ length: 530 }, () => open(server, asked)));
    await sleep(3000);
    const waited = await bystander(server);
    for (const socket of sockets) socket.destroy();
    return `somebody else logs in in ${waited.toFixed(0)} ms`;
  });

  await attacked(server, '400 wrong passwords at once, from 400 addresses', async () => {
    const guess = (number) =>
      processes.fetchRaw(address, '/api/users/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json', [ADDRESS]: `203.0.${number >> 8}.${number & 255}` },
        body: JSON.stringify({ email: 'applicant-3@example.org', password: `guess number ${number}` }),
      });
    return counted(await Promise.all(Array.from({ length: 400 }, (_, number) => guess(number))));
  });

  await attacked(server, '500 bodies that do not come, without a log-in', async () => {
    const asked = `POST /api/webhooks/stripe HTTP/1.1\r\nhost: ${address}\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n{`;
    const sockets = await Promise.all(Array.from({ length: 500 }, () => open(server, asked)));
    let ended = 0;
    for (const socket of sockets) socket.once('close', () => (ended += 1)).resume();
    await sleep(3000);
    const waited = await bystander(server);
    await sleep(37_000);
    for (const socket of sockets) socket.destroy();
    return `somebody else logs in in ${waited.toFixed(0)} ms; ${ended} were ended within 40 s`;
  });

  const files = [
    ['a Word document with one text of 190 MB', second, 'a.docx', docx(190)],
    ['a PNG whose pixels take 400 MB', third, 'a.png', png(400)],
    ['a PNG whose pixels take 190 MB', fourth, 'a.png', png(190)],
    ['a PDF of 25 MB', fifth, 'a.pdf', pdf(25 * MB - 1000)],
  ];
  for (const [name, { token }, file, content] of files) {
    await attacked(server, `${name} (${(content.length / MB).toFixed(1)} MB sent)`, async () => {
      const began = performance.now();
      await upload(server, token, file, content);
      const became = await settled(server, token);
      return `${became} after ${((performance.now() - began) / 1000).toFixed(1)} s`;
    });
  }
  await processes.stop(server);
}

const folder = mkdtempSync(join(tmpdir(), 'matricula-attacks-'));
try {
  await main(folder);
} finally {
  processes.stopAll();
  rmSync(folder, { recursive: true, force: true });
}
