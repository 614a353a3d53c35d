// Transfer size of a page: bytes as sent to a browser that accepts brotli.
import { brotliDecompressSync } from 'node:zlib';
import { fetchRaw } from './processes.mjs';

const plain = ({ headers, body }) =>
  (headers['content-encoding'] === 'br' ? brotliDecompressSync(body) : body).toString();

async function get(address, path, cookie) {
  const headers = { 'accept-encoding': 'br', accept: 'text/html', ...(cookie && { cookie }) };
  const answer = await fetchRaw(address, path, { headers });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  return answer;
}

const hrefs = (html, pattern) => [...html.matchAll(pattern)].map(([, href]) => href);

/** Sizes in bytes by address of the given scripts and of those that they import before they run. */
async function scripts(address, roots) {
  const sizes = new Map();
  const waiting = [...roots];
  while (waiting.length) {
    const path = waiting.pop();
    if (sizes.has(path)) continue;
    const answer = await get(address, path);
    sizes.set(path, answer.body.length);
    waiting.push(...hrefs(plain(answer), /(?:import|from)\s*"(\/[^"]+\.js)"/g));
  }
  return sizes;
}

const sum = (sizes) => [...sizes.values()].reduce((total, size) => total + size, 0);

/** The scripts that a document loads immediately. */
const rootsOf = (html) => [
  ...hrefs(html, /<script type="module" src="([^"]+)"/g),
  ...hrefs(html, /<link rel="modulepreload" href="([^"]+)"/g),
];

/**
 * Bytes of a page: { html, css, js, fonts }. Its document names all scripts that it loads. An inline stylesheet counts
 * as HTML.
 */
export async function weigh(address, path, cookie) {
  const answer = await get(address, path, cookie);
  const html = plain(answer);
  const loaded = async (pattern) => {
    const answers = await Promise.all(hrefs(html, pattern).map((href) => get(address, href)));
    return answers.reduce((total, { body }) => total + body.length, 0);
  };
  return {
    html: answer.body.length,
    css: await loaded(/<link rel="stylesheet" href="([^"]+)"/g),
    js: sum(await scripts(address, rootsOf(html))),
    fonts: await loaded(/<link rel="preload" href="([^"]+)" as="font"/g),
  };
}

/** The most bytes of script that any of the pages adds for a user who has seen the first one. */
export async function weighLater(address, [first, ...later], cookie) {
  const all = async (path) => scripts(address, rootsOf(plain(await get(address, path, cookie))));
  const seen = await all(first);
  const added = [];
  for (const path of later) {
    const fresh = [...(await all(path))].filter(([script]) => !seen.has(script));
    added.push(sum(new Map(fresh)));
  }
  return Math.max(...added);
}

/**
 * Bytes of script on the landing page once the user is about to interact with it: its own, the entry and its screen.
 */
export async function weighLandingInUse(address, path) {
  const start = hrefs(plain(await get(address, path)), /<script type="module" src="([^"]+)"/g);
  /** The script of that name that these scripts load later. */
  const lazy = async (loaders, name) => {
    const texts = await Promise.all([...loaders].map(async (script) => plain(await get(address, script))));
    const found = texts.flatMap((text) => hrefs(text, /import\("(\/[^"]+\.js)"\)/g));
    const wanted = found.find((script) => script.includes(`/${name}-`));
    if (!wanted) throw new Error(`no script loads ${name}`);
    return wanted;
  };
  const entry = await scripts(address, [...start, await lazy(start, 'entry')]);
  const screen = await lazy(entry.keys(), 'apply');
  return sum(await scripts(address, [...entry.keys(), screen]));
}
