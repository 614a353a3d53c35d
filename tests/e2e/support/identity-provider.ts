import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';

const script = fileURLToPath(new URL('../../oidc/provider.mjs', import.meta.url));

/** The product as the provider knows it. */
export const CLIENT = { id: 'matricula', secret: 'a-secret-of-the-tests' } as const;

/** What the provider says about somebody. */
export interface Claims {
  email: string;
  email_verified: boolean;
  name?: string;
  given_name?: string;
  family_name?: string;
  groups?: string[];
}

/** Where it sends people and messages. */
export interface ClientAddresses {
  redirect_uris?: string[];
  backchannel_logout_uri?: string;
}

/** The OpenID Connect provider of `tests/oidc`. It exits when its standard input closes, and so with this process. */
export class IdentityProvider {
  private constructor(
    private readonly process: ChildProcess,
    readonly issuer: string,
  ) {}

  static async start(): Promise<IdentityProvider> {
    const child = spawn(process.execPath, [script, '0'], { stdio: ['pipe', 'pipe', 'inherit'] });
    for await (const line of createInterface({ input: child.stdout })) {
      return new IdentityProvider(child, line.slice(line.lastIndexOf(' ') + 1));
    }
    throw new Error('The identity provider did not start');
  }

  /** Adds or changes an account; any password will do. */
  setAccount(name: string, claims: Claims): Promise<void> {
    return this.#put(`accounts/${encodeURIComponent(name)}`, claims);
  }

  /** Changes what it knows about the product. */
  setClient(addresses: ClientAddresses): Promise<void> {
    return this.#put('client', addresses);
  }

  /** Logs somebody out there, who has the page open in their browser. */
  async logOut(page: Page): Promise<void> {
    await page.goto(`${this.issuer}/session/end`);
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.getByRole('heading', { name: 'Sign-out Success' }).waitFor();
  }

  async stop(): Promise<void> {
    const gone = new Promise((ended) => this.process.once('exit', ended));
    this.process.stdin?.end();
    await gone;
  }

  async #put(path: string, body: object): Promise<void> {
    const url = `${this.issuer}/test/${path}`;
    const answer = await fetch(url, { method: 'PUT', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`PUT ${url}: ${answer.status} ${await answer.text()}`);
  }
}

/** Enters a name and a password on the provider's page that is open. */
export async function signIn(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Enter any login' }).fill(name);
  await page.getByPlaceholder('and password').fill('any password');
  await page.getByRole('button', { name: 'Sign-in' }).click();
}

/** The same for the first time in a browser: the provider also asks what it may tell. */
export async function signInAndConsent(page: Page, name: string): Promise<void> {
  await signIn(page, name);
  await page.getByRole('button', { name: 'Continue' }).click();
}
