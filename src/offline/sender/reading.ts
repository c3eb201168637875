import { baseOf } from '../../domain/outbox/base.ts';
import { classify, FOREIGN, isServers } from '../../domain/outbox/classify.ts';
import { type Base, isLocalId, type Outcome } from '../../domain/outbox/vocabulary.ts';
import { allRows } from '../../domain/protocol/all-rows.ts';
import type { Reader } from '../../domain/protocol/read-back/reader.ts';
import { type ListRow, recordAddress, type ServerRecord, textOf, uploadAddress } from '../../domain/resource.ts';
import { resourceOf } from '../../domain/resources/index.ts';
import { sha256 } from '../storage/files.ts';
import { ask } from './http.ts';
import { patienceOf } from './patience.ts';
import { timeoutOf } from './time-limits.ts';
import type { Comparable } from './reconcile.ts';
import type { Sender } from './sender.ts';

const DOWNLOAD_TIMEOUT = 60_000;
const GONE: ReadonlySet<number> = new Set([404, 410]);

/** A read failed. Carries the outcome: what the server, a proxy or nobody answered. */
export class ReadFault extends Error {
  override readonly name = 'ReadFault';
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super(outcome.kind);
    this.outcome = outcome;
  }
}

/** Reads the server with the session's token. A deleted record reads as undefined; every other failure throws ReadFault. */
export function readerOf(sender: Pick<Sender, 'environment' | 'session'>): Reader {
  return {
    rows: (resource) => allRows(resource, (path) => read<readonly ListRow[]>(sender, path).then(asList)),
    // a record with a local id never reached the server: it is gone without a request
    record: async (resource, id) =>
      isLocalId(String(id)) ? undefined : read<ServerRecord>(sender, recordAddress(resource, id)),
    sha256: (name) => hashOf(sender, name),
  };
}

/** A change beside the server's current record. Its base includes the files there that its user has sent. */
export interface Compared {
  readonly change: Comparable;
  readonly theirs: Base;
}

/** Reads the server's current record for a change. Undefined if it is gone. Throws ReadFault. */
export async function readTheirs(sender: Sender, change: Comparable): Promise<Compared | undefined> {
  const resource = resourceOf(change.resource);
  const reader = readerOf(sender);
  const record = await reader.record(resource, change.recordId);
  if (record === undefined) return undefined;
  const theirs = baseOf(resource, record);
  const base = change.base?.ownFiles && (await withOwnFiles(reader, record, change.base));
  return { theirs, change: base === undefined ? change : { ...change, base } };
}

/** Recognizes files that the user's earlier changes have sent by their bytes: these were seen. */
async function withOwnFiles(reader: Reader, record: ServerRecord, { ownFiles, ...base }: Base): Promise<Base> {
  const received = receivedFiles(record);
  const imageIds = [...(base.imageIds ?? [])];
  const files = { ...base.files };
  const images = (record.images ?? []).filter(({ id }) => !imageIds.includes(id));
  for (const [field, hashes] of Object.entries(ownFiles ?? {})) {
    const single = textOf(record[field]);
    for (const { image, id } of single === '' ? images : [{ image: single, id: undefined }]) {
      const known = received.find(({ name }) => name === image)?.sha256;
      if (!hashes.includes(known ?? (await reader.sha256(image)) ?? '')) continue;
      if (id === undefined) files[field] = image;
      else imageIds.push(id);
    }
  }
  return { ...base, imageIds, files };
}

/** A stored file as this repository's server describes it, with the hash of the received bytes. */
export interface ReceivedFile {
  readonly field: string;
  readonly name: string;
  readonly sha256: string;
}

/** The files of a record, as far as the server describes them. */
export function receivedFiles({ files }: ServerRecord): readonly ReceivedFile[] {
  return Array.isArray(files) ? (files as ReceivedFile[]) : [];
}

async function read<T>({ environment, session }: Pick<Sender, 'environment' | 'session'>, path: string) {
  const answer = await ask(environment, path, session.token);
  const isOwn = isServers(answer);
  if (isOwn && answer.status === 200 && typeof answer.body === 'object' && answer.body !== null)
    return answer.body as T;
  if (isOwn && answer.status === 404) return undefined;
  throw new ReadFault(faultOf(classify('update', answer)));
}

/** A missing or malformed list means that this is not the right server at the moment. */
function asList(body: readonly ListRow[] | undefined): readonly ListRow[] {
  if (Array.isArray(body)) return body;
  throw new ReadFault(FOREIGN);
}

/** A read is never "done" and may only pause the queue: any other outcome came from someone else. */
function faultOf(outcome: Outcome): Outcome {
  const sense =
    outcome.kind !== 'done' && outcome.kind !== 'conflict' && !('scope' in outcome && outcome.scope === 'entry');
  return sense ? outcome : FOREIGN;
}

/** The hash of a stored file. Undefined if the server has lost it. */
async function hashOf(
  { environment, session }: Pick<Sender, 'environment' | 'session'>,
  name: string,
): Promise<string | undefined> {
  const { fetch, origin } = environment;
  const patience = patienceOf(environment, DOWNLOAD_TIMEOUT);
  const { signal } = patience;
  try {
    const address = new URL(uploadAddress(name), origin).href;
    const response = await patience.bound(fetch(address, { redirect: 'manual', cache: 'no-store', signal }));
    // a proxy says the same of every file while the server behind it is away
    if (GONE.has(response.status) && isServers(await ask(environment, '/api/user', session.token))) return undefined;
    patience.renew(timeoutOf(Number(response.headers.get('Content-Length'))) + DOWNLOAD_TIMEOUT);
    const bytes = await patience.bound(response.arrayBuffer());
    // a login page or a portal is not the file, and no file is empty: mistaken for other bytes, it would make the file travel again
    const isPage = /^text\/|json/.test(response.headers.get('Content-Type') ?? '');
    if (response.status === 200 && !isPage && bytes.byteLength > 0) return await sha256(bytes);
  } catch {
    // reported below
  } finally {
    patience.end();
  }
  throw new ReadFault(FOREIGN);
}
