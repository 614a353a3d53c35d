// The measured processes: starting and stopping them, and reading the kernel's figures on them.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { env, getuid, kill } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

/** In milliseconds. */
const START_LIMIT = 20_000;
/** Clock ticks per second, on every Linux. */
const TICKS = 100;

const running = new Set();

/** Starts a process. Its output goes to a file, so that no reader takes time from what is measured. */
export function start(name, command, args, { environment = {}, ...options } = {}) {
  // None of this shell's own configuration may reach a measured server.
  const clean = { PATH: env.PATH, HOME: env.HOME, ...environment };
  const log = join(mkdtempSync(join(tmpdir(), 'matricula-bench-log-')), 'log');
  const output = openSync(log, 'a');
  const started = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', output, output], env: clean, ...options });
  closeSync(output);
  const words = () => readFileSync(log, 'utf8');
  running.add(child);
  child.on('exit', () => running.delete(child));
  const failed = new Promise((_, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (!child.stopped) reject(new Error(`${name} ended (${code ?? signal}):\n${words().slice(-2000)}`));
      rmSync(dirname(log), { recursive: true });
    });
  });
  // Awaited only while it starts.
  failed.catch(() => {});
  return { child, pid: child.pid, started, failed, said: (text) => words().includes(text) };
}

export async function stop({ child }, signal = 'SIGTERM') {
  child.stopped = true;
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}

/** Kills all running processes, however this one ends. */
export function stopAll() {
  for (const child of running) {
    child.stopped = true;
    kill(child.pid, 'SIGKILL');
  }
}

/** Runs a tool to completion and returns its output. */
export function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', ...options });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr || stdout}`);
  return stdout;
}

/** The same without blocking. */
export async function runBeside(command, args, input = '') {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  running.add(child);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  child.stdin.end(input);
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  running.delete(child);
  if (code !== 0) throw new Error(`${command} ${args[0]}: ${(err || out).slice(-2000)}`);
  return out;
}

export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Sends one request on its own connection. The body is returned as it was sent, compressed or not. */
export function fetchRaw(address, path, { method = 'GET', headers = {}, body } = {}) {
  const [hostname, port] = address.split(':');
  return new Promise((resolve, reject) => {
    const options = { hostname, port, path, method, headers, agent: new Agent() };
    const sent = request(options, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/**
 * Requests the path until the server answers 200. Returns how long that took since the process started, in
 * milliseconds.
 */
export async function untilAnswered(server, address, path) {
  const answered = async () => {
    while (performance.now() - server.started < START_LIMIT) {
      const answer = await fetchRaw(address, path).catch(() => undefined);
      if (answer?.status === 200) return performance.now() - server.started;
      await sleep(1);
    }
    throw new Error(`no answer from ${address}${path}`);
  };
  return Promise.race([answered(), server.failed]);
}

/** Seconds of processor time used by the process and its finished children. */
export function cpuSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // utime, stime, cutime and cstime of proc_pid_stat(5).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
}

/** Memory in megabytes: resident, and proportional (shared pages divided among the processes that share them). */
export function memory(pid) {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const megabytes = (field) => Number(rollup.match(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm'))[1]) / 1024;
  return { rss: megabytes('Rss'), pss: megabytes('Pss') };
}

/** Returns the folder of PostgreSQL's programs, or undefined. */
export function findPostgres() {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => b - a) : [];
  const folders = [...env.PATH.split(delimiter), ...versions.map((version) => join(debian, version, 'bin'))];
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))));
}

/** Starts a separate PostgreSQL with its default settings, including those for durability. */
export async function startPostgres(programs, folder) {
  const data = join(folder, 'postgres');
  mkdirSync(data);
  const options = {};
  if (getuid() === 0) {
    // PostgreSQL refuses to run as root, and another user needs access to its folder.
    chmodSync(folder, 0o755);
    const [uid, gid] = ['-u', '-g'].map((which) => Number(run('id', [which, 'postgres'])));
    chownSync(data, uid, gid);
    Object.assign(options, { uid, gid });
  }
  const tool = (name) => join(programs, name);
  run(tool('initdb'), ['-D', data, '-U', 'matricula', '-A', 'trust', '--no-sync'], { ...options, cwd: data });
  const port = await freePort();
  const args = ['-D', data, '-p', port, '-k', data, '-c', 'listen_addresses=127.0.0.1'];
  const server = start('postgres', tool('postgres'), args.map(String), { ...options, cwd: data });
  while (!server.said('ready to accept connections')) {
    if (performance.now() - server.started > START_LIMIT) throw new Error('PostgreSQL does not start');
    await Promise.race([sleep(50), server.failed]);
  }
  return { ...server, url: `postgres://matricula@127.0.0.1:${port}/postgres` };
}
