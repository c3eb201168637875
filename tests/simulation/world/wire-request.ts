import { createHash } from 'node:crypto';
import type { WireRequest } from '../servers/server.ts';
import type { CookieJar } from './cookies.ts';

/** Real work: encodes a form as the bytes that a browser would send. */
export async function wireRequest(path: string, init: RequestInit, jar: CookieJar): Promise<WireRequest> {
  const headers = new Headers(init.headers);
  const cookie = jar.header();
  if (cookie !== '') headers.set('cookie', cookie);
  const method = init.method ?? 'GET';
  const plain = bytesOf(init.body);
  if (plain !== undefined) headers.set('content-length', String(plain.byteLength));
  if (!(init.body instanceof FormData)) return { method, path, headers, body: plain };
  const boundary = `----simulation${createHash('sha256').update(`${path}/${cookie}`).digest('hex').slice(0, 16)}`;
  const body = await multipart(init.body, boundary);
  headers.set('content-type', `multipart/form-data; boundary=${boundary}`);
  headers.set('content-length', String(body.byteLength));
  return { method, path, headers, body };
}

/** The bytes of a body that is not a form: a chunk of a file, or a text. */
function bytesOf(body: RequestInit['body']): Uint8Array<ArrayBuffer> | undefined {
  if (typeof body === 'string') return new Uint8Array(Buffer.from(body));
  return body instanceof ArrayBuffer ? new Uint8Array(body) : undefined;
}

/** Encodes a form as a browser does. Real work. */
export async function multipart(form: FormData, boundary: string): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Buffer[] = [];
  for (const [name, value] of form) {
    const file = typeof value === 'string' ? '' : `; filename="${value.name}"\r\nContent-Type: ${value.type}`;
    parts.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`));
    const content = typeof value === 'string' ? value.replaceAll(/\r?\n/g, '\r\n') : await value.arrayBuffer();
    parts.push(typeof content === 'string' ? Buffer.from(content) : Buffer.from(content), Buffer.from('\r\n'));
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return new Uint8Array(Buffer.concat(parts));
}
