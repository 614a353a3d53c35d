/* oxlint-disable no-empty-pattern -- Playwright reads from the pattern what a fixture needs, also when it is nothing */

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from '@playwright/test';
import { Server } from './server';
import { expect, test as base } from './test';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const python = join(root, 'target/python/bin/python');

const WEBHOOK_SECRET = 'whsec_demo';

/** Test cards from https://docs.stripe.com/testing. */
export const CARDS = {
  good: '4242 4242 4242 4242',
  /** Declined, for the first payment and for every later one. */
  declined: '4000 0000 0000 0002',
  /** Can be saved, but is declined whenever it is charged. */
  failing: '4000 0000 0000 0341',
} as const;

/** A fault between the product and Stripe: see `tests/stripe/faults.py` for each. */
export interface Fault {
  act: 'delay' | 'drop' | 'drop_answer' | 'duplicate' | 'kill' | 'kill_after';
  method?: string;
  /** A regular expression, searched for in the path. */
  path?: string;
  times?: number;
  ms?: number;
  pid?: number;
}

/** The Stripe server of `tests/stripe`, behind its proxy. */
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

  /** Configures the product to take payments through it. */
  get configuration(): NodeJS.ProcessEnv {
    return {
      STRIPE_API_URL: this.proxy,
      STRIPE_CHECKOUT_ORIGIN: this.server,
      STRIPE_SECRET_KEY: 'sk_test_demo',
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    };
  }

  /** Registers the webhook of a running product. */
  async registerWebhook(product: string): Promise<void> {
    const body = new URLSearchParams({ url: `${product}/api/webhooks/stripe`, secret: WEBHOOK_SECRET });
    await sent(`${this.server}/_config/webhooks/product`, { method: 'POST', body });
  }

  /** Moves its clock ahead by that many minutes, as `Server.launch` does for the product. */
  async setClockAhead(minutesAhead: number): Promise<void> {
    const body = new URLSearchParams({ now: String(Date.now() / 1000 + minutesAhead * 60) });
    await sent(`${this.server}/_config/clock`, { method: 'POST', body });
  }

  async faults(...rules: Fault[]): Promise<void> {
    await sent(`${this.proxy}/_faults`, { method: 'POST', body: JSON.stringify(rules) });
  }

  /** Ends all faults and clears the recorded requests. */
  async noFaults(): Promise<void> {
    await sent(`${this.proxy}/_faults`, { method: 'DELETE' });
  }

  /** Returns the product's requests. */
  async requests(): Promise<{ method: string; path: string; act: string | null }[]> {
    const answer = await sent(`${this.proxy}/_faults`, { method: 'GET' });
    return (await answer.json()) as { method: string; path: string; act: string | null }[];
  }

  async end(): Promise<void> {
    await Promise.all(this.programs.map((program) => program.end()));
  }
}

/** Fills in the hosted page that is open. */
export async function payOnPage(page: Page, card: string): Promise<void> {
  await page.getByLabel('Card number').fill(card);
  await page.getByLabel('Expiry (MM / YY)').fill('12 / 34');
  await page.getByLabel('CVC').fill('123');
  await page.getByRole('button', { name: /^(Pay \$|Save card)/ }).click();
}

/** Tests against a product with card payments: each worker has its own server and Stripe. */
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

/** Lends a test a server of its own, which Stripe tells of payments in place of the worker's. */
export async function lend(
  { stripe, server, browser }: { stripe: Stripe; server: Server; browser: Browser },
  own: Server,
  use: (own: Server) => Promise<void>,
): Promise<void> {
  await stripe.registerWebhook(own.url);
  await use(own);
  for (const context of browser.contexts()) await context.close();
  await stripe.registerWebhook(server.url);
  await own.remove();
  expect(own.trouble, 'what the server logged as errors').toEqual([]);
}

export { expect };

async function sent(url: string, request: RequestInit): Promise<Response> {
  const answer = await fetch(url, request);
  if (!answer.ok) throw new Error(`${request.method} ${url}: ${answer.status} ${await answer.text()}`);
  return answer;
}

/** One of the programs of `tests/stripe`. It exits when its standard input closes, and so with this process. */
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
