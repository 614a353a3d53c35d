// The baseline of the product: plain node:http rendering the same screens. Each page's JSON is ready in memory, so it
// has no session to look up, no database to query and nothing to serialise. Around the HTML it writes the same
// document, with a fresh nonce.
//
//   node bench/baseline.mjs FILE [--bare SECONDS]
//
// FILE holds { bundle, port, pages: { PATH: { json, headers, before, between, after } } }. With --bare nothing is
// served: the pages are rendered one after the other, and { done, cpuSeconds } is written.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { argv, cpuUsage, stdout } from 'node:process';
import { runInThisContext } from 'node:vm';

/** Lets the engine compile hot code; as long as in bench/render.rs. */
const WARM_UP_SECONDS = 1.5;

const { bundle, port, pages } = JSON.parse(readFileSync(argv[2], 'utf8'));
runInThisContext(readFileSync(bundle, 'utf8'), { filename: bundle });
// The bundle loads its screens in microtasks.
await new Promise(setImmediate);

const escapes = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026', '\u2028': '\\u2028', '\u2029': '\\u2029' };
const escapeJson = (json) => json.replace(/[<>&\u2028\u2029]/g, (character) => escapes[character]);

/** A page's HTML and its styles, as emotion writes them into the head. */
function rendered(json, nonce) {
  const all = globalThis.render(json);
  if (!all.startsWith('\0')) return { styles: '', html: all };
  const [, names, css, html] = all.split('\0');
  return { styles: `<style data-emotion="css ${names}" nonce="${nonce}">${css}</style></head>`, html };
}

/** Joins the parts of the document with a fresh nonce. What was split at the nonce becomes whole again. */
function document({ json, headers, before, between, after }) {
  const nonce = randomBytes(32).toString('base64url');
  const { styles, html } = rendered(json, nonce);
  const head = styles ? before.join(nonce).replace('</head>', styles) : before.join(nonce);
  const body = head + html + between + escapeJson(json) + after.join(nonce);
  const policy = headers['content-security-policy'].join(nonce);
  return { body, headers: { ...headers, 'content-security-policy': policy } };
}

function renderFor(seconds, jsons) {
  const end = performance.now() + seconds * 1000;
  let done = 0;
  while (performance.now() < end) {
    globalThis.render(jsons[done % jsons.length]);
    done += 1;
  }
  return done;
}

const bare = argv.indexOf('--bare');
if (bare > 0) {
  const jsons = Object.values(pages).map(({ json }) => json);
  renderFor(WARM_UP_SECONDS, jsons);
  const before = cpuUsage();
  const done = renderFor(Number(argv[bare + 1]), jsons);
  const { user, system } = cpuUsage(before);
  stdout.write(JSON.stringify({ done, cpuSeconds: (user + system) / 1e6 }));
} else {
  createServer((request, response) => {
    const page = pages[request.url];
    if (!page) return response.writeHead(404).end();
    const { body, headers } = document(page);
    return response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
  }).listen(port, '127.0.0.1');
}
