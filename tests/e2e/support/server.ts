import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const binary = resolve(root, process.env['MATRICULA_BIN'] ?? 'target/debug/matricula');

/** Milliseconds after which a start or a graceful shutdown counts as failed. */
const PATIENCE = 20_000;

/** One instance of the product with its own port and data folder, both of which are kept across restarts. */
export class Server {
  readonly url: string;
  /** Suspicious log lines: errors, panics, and output that is not a log line at all. */
  readonly trouble: string[] = [];
  #process: ChildProcess | undefined;
  #gone: Promise<number | null> = Promise.resolve(null);

  private constructor(
    private readonly port: number,
    private readonly folder: string,
    private readonly configuration: NodeJS.ProcessEnv,
    host: string,
  ) {
    this.url = `http://${host}:${port}`;
  }

  /**
   * Starts an instance, configured by the environment like in production; `host` is this machine's name in browsers.
   */
  static async start(configuration: NodeJS.ProcessEnv = {}, host = '127.0.0.1'): Promise<Server> {
    if (!existsSync(binary)) {
      throw new Error(`There is no ${binary}: build it with cargo build, or set MATRICULA_BIN.`);
    }
    const folder = await mkdtemp(join(tmpdir(), 'matricula-e2e-'));
    const server = new Server(await freePort(), folder, configuration, host);
    await server.launch();
    return server;
  }

  /** Starts it, also again after `stop` or `kill`; the clock is ahead by that many minutes. */
  async launch(minutesAhead = 0): Promise<void> {
    const flags = ['--development', '--log-format', 'json', '--trusted-proxies', '127.0.0.1'];
    const place = ['--bind', `127.0.0.1:${this.port}`, '--data-dir', this.folder];
    if (minutesAhead !== 0) flags.push(`--clock-ahead=${minutesAhead}`);
    const child = spawn(binary, ['serve', ...flags, ...place], {
      cwd: this.folder,
      env: this.#environment(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    createInterface({ input: child.stderr }).on('line', (line) => this.#read(line));
    this.#process = child;
    this.#gone = new Promise((ended) => child.once('exit', ended));
    await this.#ready(child);
  }

  /** Runs a command of the product on the same data, as an operator does. Returns its output. */
  command(parts: string[], input = ''): string {
    const all = [...parts, '--development', '--data-dir', this.folder];
    const env = this.#environment();
    const ran = spawnSync(binary, all, { cwd: this.folder, env, input, encoding: 'utf8' });
    if (ran.status !== 0) throw new Error(`matricula ${parts.join(' ')}: ${ran.stdout}${ran.stderr}`);
    return ran.stdout;
  }

  /** Our environment without settings of the product, plus those of this instance. */
  #environment(): NodeJS.ProcessEnv {
    const kept = Object.entries(process.env).filter(
      ([name]) => !/^(MATRICULA_|AWS_|STRIPE_|CLAMD_URL|DATABASE_URL|SMTP_URL|STORAGE_URL)/.test(name),
    );
    return { ...Object.fromEntries(kept), MATRICULA_PUBLIC_URL: this.url, ...this.configuration };
  }

  #read(line: string): void {
    let level: unknown;
    try {
      ({ level } = JSON.parse(line) as { level?: unknown });
    } catch {
      level = undefined;
    }
    if (level === undefined || level === 'ERROR') this.trouble.push(line);
  }

  async #ready(child: ChildProcess): Promise<void> {
    const end = Date.now() + PATIENCE;
    while (Date.now() < end && child.exitCode === null) {
      const ready = await fetch(`${this.url}/readyz`).catch(() => null);
      if (ready?.ok) return;
      await new Promise((wake) => setTimeout(wake, 25));
    }
    child.kill('SIGKILL');
    throw new Error(`The product did not start:\n${this.trouble.join('\n')}`);
  }

  /** Creates demo applicants, and interview times on the next working days. */
  seed(): void {
    this.command(['seed', '--demo']);
  }

  /** Stops it as an operator does. It must exit by itself with code 0. */
  async stop(): Promise<void> {
    this.#process?.kill('SIGTERM');
    const late = setTimeout(() => this.#process?.kill('SIGKILL'), PATIENCE);
    const code = await this.#gone;
    clearTimeout(late);
    if (code !== 0)
      throw new Error(`The product ended with ${code ?? 'a signal'}:\n${this.trouble.join('\n')}`);
  }

  /** Kills it, like a power cut. */
  async kill(): Promise<void> {
    this.#process?.kill('SIGKILL');
    await this.#gone;
  }

  /** Stops it and removes its data. */
  async remove(): Promise<void> {
    if (this.#process?.exitCode === null && this.#process.signalCode === null) await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Returns a free port below those of outgoing connections, none of which may take it while the server is down. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 18_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((found) => {
    const probe = createServer();
    probe.once('error', () => found(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => found(true)));
  });
}
