import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { limitText } from '../../src/domain/validate.ts';
import { Refusal } from '../errors/refusal.ts';
import type { ReceivedFile } from './received.ts';
import { receiveFile } from './received.ts';
import type { Storage } from './storage.ts';
import { discard, incomingPath } from './storage.ts';

/** A multipart form: its texts by their names on the wire, and its files on the disk. */
export interface ReceivedForm {
  readonly texts: ReadonlyMap<string, string>;
  readonly files: readonly ReceivedFile[];
}

/** True for a body read by `receiveForm`. */
export function isForm(body: unknown): body is ReceivedForm {
  return typeof body === 'object' && body !== null && 'texts' in body && body.texts instanceof Map;
}

/** Bytes. A long text field holds at most 65,535 characters. */
const MOST_TEXT = 512 * 1024;
const MOST_FIELDS = 100;

/**
 * Reads a complete multipart body and streams its files to the disk. The request limit counts every byte of it. Throws a
 * Refusal (400 malformed, 413 too large, 422 too many files) and then leaves no file behind.
 */
export async function receiveForm(storage: Storage, body: Readable, headers: BusboyHeaders): Promise<ReceivedForm> {
  const texts = new Map<string, string>();
  const arriving: Promise<ReceivedFile>[] = [];
  const streams: Readable[] = [];
  const parser = parserOf(storage, headers);
  parser.on('field', (name, value, _nameCut, valueCut) => {
    if (valueCut) parser.destroy(tooLarge(`The field ${name} is too long.`));
    else if (name !== undefined) texts.set(name, value);
  });
  parser.on('file', (name, stream, originalName) => {
    streams.push(stream);
    arriving.push(beginFile(storage, stream, String(name), originalName ?? ''));
  });
  try {
    await feed(parser, body, storage.limits.maxRequestBytes);
    return { texts, files: await Promise.all(arriving) };
  } catch (error) {
    for (const stream of streams) stream.destroy(malformed());
    await discardAll(storage, arriving);
    throw error;
  }
}

function beginFile(storage: Storage, stream: Readable, name: string, originalName: string): Promise<ReceivedFile> {
  const file = receiveFile(storage.disk, stream, {
    field: name.replace(/\[\d*\]$/, ''),
    originalName,
    path: incomingPath(storage),
    maxBytes: storage.limits.maxFileBytes,
  });
  // If a file cannot be created, its stream must still be drained, or the parser waits for it forever.
  file.catch(() => stream.resume());
  // The parser only reports a truncated part and leaves the stream open. An unhandled report would end the process.
  stream.on('error', (error) => stream.destroy(error));
  return file;
}

function parserOf(storage: Storage, headers: BusboyHeaders) {
  const { maxFiles } = storage.limits;
  const limits = { files: maxFiles, fields: MOST_FIELDS, fieldSize: MOST_TEXT, headerPairs: 20, headerSize: 8192 };
  try {
    const parser = new Busboy({ headers, limits });
    parser.on('filesLimit', () => parser.destroy(tooManyFiles(maxFiles)));
    parser.on('fieldsLimit', () => parser.destroy(tooLarge(`More than ${MOST_FIELDS} fields.`)));
    return parser;
  } catch {
    throw malformed();
  }
}

/**
 * Feeds the body to the parser at the parser's pace. After a fault the rest is read and dropped, so that the sender receives
 * the response.
 */
async function feed(parser: BusboyInstance, body: Readable, maxBytes: number): Promise<void> {
  const finished = once(parser, 'finish').catch((error: unknown) => {
    throw error instanceof Refusal ? error : malformed();
  });
  finished.catch(() => undefined);
  let fault: unknown;
  let size = 0;
  // the connection belongs to the response, which drops the rest
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) fault ??= tooLarge(`The request is too large. The limit is ${limitText(maxBytes)}.`);
    if (size > 4 * maxBytes) throw fault;
    if (fault === undefined) await Promise.race([written(parser, chunk), finished]).catch((error) => (fault = error));
  }
  if (fault !== undefined) {
    parser.destroy();
    throw fault;
  }
  parser.end();
  await finished;
}

function written(parser: BusboyInstance, chunk: Buffer): Promise<void> {
  return new Promise((resolve) => parser.write(chunk, () => resolve()));
}

async function discardAll(storage: Storage, arriving: readonly Promise<ReceivedFile>[]): Promise<void> {
  const settled = await Promise.allSettled(arriving);
  await discard(
    storage,
    settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
  );
}

function malformed(): Refusal {
  return new Refusal(400, { message: 'The form could not be read: it is incomplete or malformed.' });
}

function tooLarge(message: string): Refusal {
  return new Refusal(413, { message, code: 'request-too-large' });
}

/** The refusal of a request with more files than are accepted. */
export function tooManyFiles(most: number): Refusal {
  return new Refusal(422, {
    message: most === 0 ? 'Files are not accepted here.' : `Not more than ${most} files can be sent in one request.`,
    code: 'too-many-files',
  });
}
