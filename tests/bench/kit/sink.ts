import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BATCH_ANSWER_TYPE, MOST_BATCH_BYTES, MOST_BATCHED } from '../../../src/domain/protocol/batch.ts';
import {
  CAPABILITIES_PATH,
  type Capabilities,
  CHANGES_PATH,
  CONTRACT_ONLY,
} from '../../../src/domain/protocol/capabilities.ts';

const CAPABILITIES: Capabilities = {
  ...CONTRACT_ONLY,
  server: 'voltdesk',
  idempotencyKeys: true,
  versions: true,
  changesByKey: true,
  batches: { maxChanges: MOST_BATCHED, maxBytes: MOST_BATCH_BYTES },
};
const COOKIE = 'XSRF-TOKEN=bench; Path=/; Max-Age=7200';
/** The changes are the first part of a batch. The bytes of its files follow. */
const CHANGES_WITHIN = 128 * 1024;

let lastId = 0;

function answer(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': COOKIE }).end(JSON.stringify(body));
}

function taken() {
  lastId += 1;
  return { message: 'Taken', id: lastId, version: randomUUID() };
}

/** Answers each change of a batch with a line, by its key. */
function answerBatch(response: ServerResponse, body: Buffer): void {
  const changes = body.toString('latin1', 0, CHANGES_WITHIN);
  const lines = [...changes.matchAll(/"key":"([^"]+)"/g)].map(
    ([, key]) => `${JSON.stringify({ key, status: 200, body: taken() })}\n`,
  );
  response.writeHead(200, { 'content-type': BATCH_ANSWER_TYPE, 'set-cookie': COOKIE }).end(lines.join(''));
}

/**
 * The part of the protocol that sending needs, at almost no cost: accepts every change, single or in a batch, and stores
 * nothing. Measurements against it show the cost of the sender. Returns true if it answered.
 */
export function sink(request: IncomingMessage, response: ServerResponse): boolean {
  const { method, url = '' } = request;
  if (!url.startsWith('/api/')) return false;
  if (method === 'GET') {
    answer(response, url === CAPABILITIES_PATH ? CAPABILITIES : { id: 1, name: 'Bench' });
    return true;
  }
  const pieces: Buffer[] = [];
  request
    .on('data', (piece: Buffer) => pieces.push(piece))
    .on('end', () => {
      if (url === CHANGES_PATH) answerBatch(response, Buffer.concat(pieces));
      else answer(response, taken());
    });
  return true;
}
