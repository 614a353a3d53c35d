// An OpenID Connect provider for the tests: npm's oidc-provider, with accounts that the tests set.
//   node tests/oidc/provider.mjs PORT     (0: any free port)
// prints `listening on http://127.0.0.1:N`, which is the issuer too. It ends when its standard input, if that is a pipe,
// closes, and when the process that started it has ended.
//
// Its only client is `matricula`, with these from the environment, or later from PUT /test/client:
//   OIDC_REDIRECT_URIS   separated by commas
//   OIDC_LOGOUT_URI      for back-channel logout
//
// For the tests:
//   PUT /test/accounts/NAME      adds or changes an account: JSON of its claims (email, email_verified, name, given_name,
//                                family_name, groups)
//   DELETE /test/accounts/NAME   removes it
//   PUT /test/client             changes the client: JSON of redirect_uris, backchannel_logout_uri or both
//   POST /test/rotate-keys       makes a new signing key; the old one is gone
//   POST /test/down              answers everything else with 503, until POST /test/up
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { fstatSync } from 'node:fs';
import { createServer } from 'node:http';
import { argv, env, exit, stderr, stdin, stdout } from 'node:process';
import { text } from 'node:stream/consumers';

// The library says much about what is not fit for production, and that Node.js 20 is old; some of it on import.
Object.assign(console, { info() {}, warn() {} });
const { Provider, interactionPolicy } = await import('oidc-provider');
const { createMemoryAdapter } = await import('oidc-provider/lib/adapters/memory_adapter.js');

const accounts = new Map();
const sessions = createMemoryAdapter();
const client = {
  client_id: 'matricula',
  client_secret: 'a-secret-of-the-tests',
  token_endpoint_auth_method: 'client_secret_basic',
  redirect_uris: (env.OIDC_REDIRECT_URIS ?? 'http://127.0.0.1/callback').split(','),
  backchannel_logout_uri: env.OIDC_LOGOUT_URI || undefined,
  backchannel_logout_session_required: true,
  require_auth_time: true,
};
let issuer;
let keys;
let answer;
let down = false;

function newKeys() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  keys = [{ ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' }];
}

/** Whoever has been removed has to log in again. The library on its own fails, if such a person has a session. */
function policy() {
  const made = interactionPolicy.base();
  const gone = new interactionPolicy.Check('gone', 'The account is gone', ({ oidc }) => !oidc.account);
  made.get('login').checks.add(gone);
  return made;
}

/** The library reads its keys and clients once: replaces it. Sessions, grants and tokens are kept. */
function renew() {
  const provider = new Provider(issuer, {
    adapter: sessions,
    clients: [client],
    jwks: { keys },
    cookies: { keys: ['signs the cookies of the tests'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    claims: {
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name'],
      groups: ['groups'],
    },
    interactions: { policy: policy() },
    pkce: { required: () => true },
    features: {
      backchannelLogout: { enabled: true },
      devInteractions: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    findAccount: (_, name) =>
      accounts.has(name)
        ? { accountId: name, claims: () => ({ sub: name, ...accounts.get(name) }) }
        : undefined,
    // Without its dispatcher, which refuses addresses of this machine.
    fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined }),
  });
  provider.on('backchannel.error', (_, error) => stderr.write(`back-channel logout: ${error.message}\n`));
  provider.on('server_error', (_, error) => stderr.write(`${error.stack}\n`));
  provider.use((ctx, next) => next().then(() => withoutFont(ctx)));
  answer = provider.callback();
}

/** The library's pages load a font from elsewhere. */
function withoutFont(ctx) {
  if (typeof ctx.body === 'string') ctx.body = ctx.body.replace(/@import url\(.*?\);/, '');
}

/** Returns the name in a login form that belongs to no account: the library's own form accepts every name. */
async function unknownName(request, path) {
  if (request.method !== 'POST' || !path.startsWith('/interaction/')) return undefined;
  // Where the library looks for a body that has been read.
  request.body = await text(request);
  const form = new URLSearchParams(request.body);
  const name = form.get('login') ?? '';
  return form.get('prompt') === 'login' && !accounts.has(name) ? name : undefined;
}

/** What a test can ask for, by method and path. */
const forTests = {
  'PUT accounts': (body, name) => accounts.set(name, JSON.parse(body)),
  'DELETE accounts': (_, name) => accounts.delete(name),
  'PUT client': (body) => {
    Object.assign(client, JSON.parse(body));
    renew();
  },
  'POST rotate-keys': () => {
    newKeys();
    renew();
  },
  'POST down': () => (down = true),
  'POST up': () => (down = false),
};

async function respond(request, response) {
  const path = request.url.split('?')[0];
  if (path.startsWith('/test/')) {
    const [, , what, name] = path.split('/').map(decodeURIComponent);
    const wish = forTests[`${request.method} ${what}`];
    wish?.(await text(request), name);
    response.writeHead(wish ? 204 : 404).end();
    return;
  }
  if (down) {
    response.writeHead(503).end();
    return;
  }
  const unknown = await unknownName(request, path);
  if (unknown !== undefined) {
    response.writeHead(403, { 'Content-Type': 'text/plain' }).end(`There is no account "${unknown}".\n`);
    return;
  }
  await answer(request, response);
}

const server = createServer((request, response) => {
  respond(request, response).catch((error) => {
    stderr.write(`${request.method} ${request.url}: ${error.message}\n`);
    response.destroy();
  });
});

server.listen(Number(argv[2]), '127.0.0.1', () => {
  issuer = `http://127.0.0.1:${server.address().port}`;
  newKeys();
  renew();
  stdout.write(`listening on ${issuer}\n`);
});

// Never longer than the process that started it.
const input = fstatSync(0);
if (input.isFIFO() || input.isSocket()) stdin.on('end', () => exit(0)).resume();
const parent = process.ppid;
setInterval(() => process.ppid === parent || exit(0), 200);
