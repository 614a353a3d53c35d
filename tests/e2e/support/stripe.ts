/* oxlint-disable no-empty-pattern -- Playwright reads from the pattern what a fixture needs, also when it is nothing */

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { Server } from './server';
import { expect, test as base } from './test';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const python = join(root, 'target/python/bin/python');

const WEBHOOK_SECRET = 'whsec_demo';

/** Cards of https://docs.stripe.com/testing. */
export const CARDS = {
  good: '4242 4242 4242 4242',
  /** Declined, at the first and at each later payment. */
  declined: '4000 0000 0000 0002',
  /** Can be saved, and is declined whenever it is charged. */
  failing: '4000 0000 0000 0341',
} as const;

/** What goes wrong between the product and Stripe: `tests/stripe/faults.py` tells what each means. */
export interface Fault {
  act: 'delay' | 'drop' | 'drop_answer' | 'duplicate' | 'kill' | 'kill_after';
  method?: string;
  /** A regular expression, looked for in the path. */
  path?: string;
  times?: number;
  ms?: number;
  pid?: number;
}

/** Stripe's server of `tests/stripe`, with the proxy before it. */
export class Stripe {
  private constructor(
    private readonly programs: Program[],
    private readonly server: string,
    private readonly proxy: string,
  ) {}

  static async start(): Promise<Stripe> {
    const server = await Program.start('server.py');
    const proxy = await Program.start('faults.py', '--to', server.url);
    return new Stripe([server, proxy], server.url, proxy.url);
  }

  /** What configures the product to be paid through it. */
  get configuration(): NodeJS.ProcessEnv {
    return {
      STRIPE_API_URL: this.proxy,
      STRIPE_CHECKOUT_ORIGIN: this.server,
      STRIPE_SECRET_KEY: 'sk_test_demo',
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    };
  }

  /** Has it tell a product that runs there what happens. */
  async registerWebhook(product: string): Promise<void> {
    const body = new URLSearchParams({ url: `${product}/api/webhooks/stripe`, secret: WEBHOOK_SECRET });
    await sent(`${this.server}/_config/webhooks/product`, { method: 'POST', body });
  }

  /** Moves its clock so many minutes ahead, as `Server.launch` does the product's. */
  async setClockAhead(minutesAhead: number): Promise<void> {
    const body = new URLSearchParams({ now: String(Date.now() / 1000 + minutesAhead * 60) });
    await sent(`${this.server}/_config/clock`, { method: 'POST', body });
  }

  async faults(...rules: Fault[]): Promise<void> {
    await sent(`${this.proxy}/_faults`, { method: 'POST', body: JSON.stringify(rules) });
  }

  /** Ends all faults, and forgets the requests so far. */
  async noFaults(): Promise<void> {
    await sent(`${this.proxy}/_faults`, { method: 'DELETE' });
  }

  /** What the product has asked. */
  async requests(): Promise<{ method: string; path: string; act: string | null }[]> {
    const answer = await sent(`${this.proxy}/_faults`, { method: 'GET' });
    return (await answer.json()) as { method: string; path: string; act: string | null }[];
  }

  async end(): Promise<void> {
    await Promise.all(this.programs.map((program) => program.end()));
  }
}

/** Fills in the hosted page that the browser is at. */
export async function payOnPage(page: Page, card: string): Promise<void> {
  await page.getByLabel('Card number').fill(card);
  await page.getByLabel('Expiry (MM / YY)').fill('12 / 34');
  await page.getByLabel('CVC').fill('123');
  await page.getByRole('button', { name: /^(Pay \$|Save card)/ }).click();
}

/** Tests against a product that is paid by card: each worker has a server and a Stripe of its own. */
export const test = base.extend<object, { stripe: Stripe }>({
  stripe: [
    async ({}, use) => {
      const stripe = await Stripe.start();
      await use(stripe);
      await stripe.end();
    },
    { scope: 'worker' },
  ],

  server: [
    async ({ stripe }, use) => {
      const server = await Server.start(stripe.configuration);
      await stripe.registerWebhook(server.url);
      await use(server);
      await server.remove();
    },
    { scope: 'worker' },
  ],
});

export { expect };

async function sent(url: string, request: RequestInit): Promise<Response> {
  const answer = await fetch(url, request);
  if (!answer.ok) throw new Error(`${request.method} ${url}: ${answer.status} ${await answer.text()}`);
  return answer;
}

/** One of the programs of `tests/stripe`. It ends with its standard input, and so with this process. */
class Program {
  private constructor(
    private readonly process: ChildProcess,
    readonly url: string,
  ) {}

  static async start(script: string, ...more: string[]): Promise<Program> {
    if (!existsSync(python)) throw new Error(`There is no ${python}: run scripts/setup test.`);
    const place = ['-B', join(root, 'tests/stripe', script), '--port', '0'];
    const child = spawn(python, [...place, ...more], { stdio: ['pipe', 'pipe', 'inherit'] });
    for await (const line of createInterface({ input: child.stdout })) {
      return new Program(child, line.slice(line.lastIndexOf(' ') + 1));
    }
    throw new Error(`${script} did not start`);
  }

  async end(): Promise<void> {
    const gone = new Promise((ended) => this.process.once('exit', ended));
    this.process.stdin?.end();
    await gone;
  }
}
