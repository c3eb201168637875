import { isReadable } from '../../domain/outbox/scheduler.ts';
import { filesOf } from '../../domain/outbox/vocabulary.ts';
import type { FileReference, OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import type { Environment } from '../storage/environment.ts';
import { QueueFileError } from '../storage/errors.ts';
import { type PreparedFile, sha256 } from '../storage/files.ts';
import type { Identity } from '../storage/outbox-database.ts';

/**
 * The format of a queue file: a first line that names the format, a second line of JSON, then the bytes of the files in the order of
 * the entries.
 */
const FORMAT = 'voltdesk-queue 1\n';
const NEW_LINE = 10;

/** The second line. */
interface Contents {
  readonly entries: readonly OutboxEntry[];
  /** The server's ids known to the device that wrote the file. */
  readonly identities: readonly Identity[];
  /** Ids of files whose bytes were already lost on that device and are not included. */
  readonly lost?: readonly string[];
}

/** The contents of a queue file. */
export interface QueueFile extends Contents {
  /** The entries' files with their bytes. */
  readonly files: readonly PreparedFile[];
}

/** Writes a queue to a file. `open` returns a file's bytes, or undefined if they are lost. */
export async function writeQueueFile(
  contents: Contents,
  open: (reference: FileReference) => Promise<File | undefined>,
): Promise<Blob> {
  const files: File[] = [];
  const lost: string[] = [];
  for (const reference of contents.entries.flatMap(filesOf)) {
    const file = await open(reference);
    if (file === undefined) lost.push(reference.id);
    else files.push(file);
  }
  const told: Contents = lost.length === 0 ? contents : { ...contents, lost };
  return new Blob([FORMAT, `${JSON.stringify(told)}\n`, ...files], { type: 'application/octet-stream' });
}

/** Reads and checks a whole queue file. Throws QueueFileError with the reason if it cannot be used. */
export async function readQueueFile(environment: Environment, file: Blob): Promise<QueueFile> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const headEnd = bytes.indexOf(NEW_LINE) + 1;
  if (textOf(bytes.subarray(0, headEnd)) !== FORMAT) throw new QueueFileError('This is not a queue file.');
  const bodyEnd = bytes.indexOf(NEW_LINE, headEnd);
  if (bodyEnd === -1) throw new QueueFileError('The queue file is cut off.');
  const contents = contentsIn(textOf(bytes.subarray(headEnd, bodyEnd)));
  if (!contents.entries.every(isReadable)) {
    throw new QueueFileError('The queue file was written by a newer version of this app.');
  }
  return { ...contents, files: await readFiles(environment, contents, bytes, bodyEnd + 1) };
}

function contentsIn(text: string): Contents {
  try {
    return JSON.parse(text) as Contents;
  } catch (cause) {
    throw new QueueFileError('The queue file is damaged.', { cause });
  }
}

async function readFiles(
  { keepsBlobs }: Environment,
  { entries, lost = [] }: Contents,
  bytes: Uint8Array,
  start: number,
): Promise<PreparedFile[]> {
  const prepared: PreparedFile[] = [];
  let place = start;
  for (const reference of entries.flatMap(filesOf).filter(({ id }) => !lost.includes(id))) {
    const own = bytes.slice(place, place + reference.size).buffer;
    if (own.byteLength !== reference.size || (await sha256(own)) !== reference.sha256) {
      throw new QueueFileError(`The queue file is damaged: the bytes of “${reference.name}” do not match.`);
    }
    prepared.push({ reference, bytes: keepsBlobs ? new Blob([own], { type: reference.type }) : own });
    place += reference.size;
  }
  return prepared;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
