import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CAPABILITIES_PATH, type Capabilities, CONTRACT_ONLY } from '../../../src/domain/protocol/capabilities.ts';

const CAPABILITIES: Capabilities = { ...CONTRACT_ONLY, server: 'voltdesk', idempotencyKeys: true, versions: true };
const COOKIE = 'XSRF-TOKEN=bench; Path=/; Max-Age=7200';

let lastId = 0;

function answer(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': COOKIE }).end(JSON.stringify(body));
}

/**
 * The part of the contract that sending needs, at no cost: every change is taken, nothing is kept. What is measured against it
 * is the sender. True where it answered.
 */
export function sink(request: IncomingMessage, response: ServerResponse): boolean {
  if (!request.url?.startsWith('/api/')) return false;
  if (request.method === 'GET') {
    answer(response, request.url === CAPABILITIES_PATH ? CAPABILITIES : { id: 1, name: 'Bench' });
    return true;
  }
  request.resume().on('end', () => {
    lastId += 1;
    answer(response, { message: 'Taken', id: lastId, version: randomUUID() });
  });
  return true;
}
