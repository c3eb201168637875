import { connect } from 'node:net';
import type { WireRequest } from './fault-proxy.ts';

/**
 * Sends a request again, unchanged, on a new connection, as a browser does when a kept connection breaks (whether one does
 * is up to chance). Returns the bytes of the answer.
 */
export async function repeatRequest(port: number, { line, headers, body }: WireRequest): Promise<Buffer> {
  const socket = connect(port, '127.0.0.1');
  const head = [...headers].filter(([name]) => name !== 'connection').map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${line} HTTP/1.1\r\n${head.join('')}connection: close\r\n\r\n`);
  socket.write(body);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
