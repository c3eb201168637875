import { connect } from 'node:net';
import type { WireRequest } from './fault-proxy.ts';

/**
 * Sends a request once more, as it was, on a connection of its own, as a browser does by itself when a kept connection breaks
 * (whether one does is chance). Answers the bytes that come back.
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
