import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
};

export interface FilesServer {
  readonly address: string;
  close(): Promise<void>;
}

interface Answer {
  readonly type: string;
  readonly brotli: Buffer;
  readonly caching: string;
}

function answerOf(path: string, bytes: Buffer | string): Answer {
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  const caching = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
  return { type: TYPES[extname(path)] ?? 'application/octet-stream', brotli, caching };
}

/** Every file of a folder by its address, compressed once. `/files.json` lists the files of a page. */
function answersOf(folder: string, data: Readonly<Record<string, unknown>>): Map<string, Answer> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in TYPES)
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length));
  const answers = new Map(paths.map((path) => [path, answerOf(path, readFileSync(join(folder, path)))]));
  const index = answers.get('/index.html');
  if (index) answers.set('/', index);
  const files = ['/', ...paths.filter((path) => path.startsWith('/assets/'))];
  answers.set('/files.json', answerOf('/files.json', JSON.stringify(files)));
  for (const [path, value] of Object.entries(data)) answers.set(path, answerOf(path, JSON.stringify(value)));
  return answers;
}

/** Handles some requests. Returns true if it answered. */
type Handler = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * The fastest possible server of a page: everything is precompressed and in memory. `data` holds additional JSON answers.
 * `handle` takes precedence.
 */
export async function serveFolder(
  folder: string,
  data: Readonly<Record<string, unknown>> = {},
  handle: Handler = () => false,
): Promise<FilesServer> {
  const answers = answersOf(folder, data);
  const server = createServer((request, response) => {
    if (handle(request, response)) return;
    const answer = answers.get(new URL(request.url ?? '/', 'http://localhost').pathname);
    if (!answer) {
      response.writeHead(404).end();
      return;
    }
    const { type, brotli, caching } = answer;
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'br', 'cache-control': caching }).end(brotli);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://localhost:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
