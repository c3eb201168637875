import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { build } from './build.js';

const { OUT = 'site', PORT = '4000', WEBHOOK_SECRET = '' } = process.env;
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
};
/** Seconds by which a message may be late: the window of the Standard Webhooks specification. */
const TOLERANCE = 300;

let building = Promise.resolve();
let next;

/** Builds after the present build. Calls that come meanwhile share the next one, which sees their change. */
function rebuild() {
  next ??= building.then(() => {
    next = undefined;
    building = build().then(
      ({ pages, fetched }) => console.log(`${pages} pages, ${fetched} new files`),
      (error) => console.error(error.message),
    );
    return building;
  });
  return next;
}

/** True for a message that was signed with the secret, lately (https://www.standardwebhooks.com). */
function isSigned({ headers }, body) {
  const { 'webhook-id': id = '', 'webhook-timestamp': at = '', 'webhook-signature': given = '' } = headers;
  if (Math.abs(Date.now() / 1000 - Number(at)) > TOLERANCE) return false;
  const key = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64');
  const wanted = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest();
  return given.split(' ').some((one) => {
    const bytes = Buffer.from(one.replace(/^v1,/, ''), 'base64');
    return bytes.length === wanted.length && timingSafeEqual(bytes, wanted);
  });
}

async function onWebhook(request, response) {
  const chunks = [];
  for await (const chunk of request) if (chunks.push(chunk) > 100) return response.writeHead(413).end();
  if (WEBHOOK_SECRET === '' || !isSigned(request, Buffer.concat(chunks))) return response.writeHead(401).end();
  response.writeHead(202).end();
  await rebuild();
}

async function onRead(request, response) {
  const path = normalize(decodeURIComponent(new URL(request.url, 'http://site').pathname));
  const file = join(OUT, path.endsWith('/') ? `${path}index.html` : path);
  const isThere = (await stat(file).catch(() => undefined))?.isFile() === true;
  const body = await readFile(isThere ? file : join(OUT, '404.html'));
  const caching = path.startsWith('/uploads/') ? 'public, max-age=31536000, immutable' : 'no-cache';
  response.writeHead(isThere ? 200 : 404, {
    'content-type': TYPES[isThere ? extname(file) : '.html'] ?? 'application/octet-stream',
    'cache-control': caching,
    'content-security-policy': "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

const server = createServer((request, response) => {
  const isWebhook = request.method === 'POST' && request.url === '/rebuild';
  (isWebhook ? onWebhook(request, response) : onRead(request, response)).catch(() => response.writeHead(500).end());
});

await rebuild();
server.listen(Number(PORT), () => console.log(`The site is at http://127.0.0.1:${server.address().port}`));
