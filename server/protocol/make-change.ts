import type { Again } from '../../src/domain/protocol/kept.ts';
import type { NamedFile } from '../../src/domain/protocol/staging.ts';
import type { Staging } from '../staging/staging.ts';
import type { Applied, Caller, Store, Target } from '../stores/store.ts';
import { tooManyFiles } from '../uploads/form.ts';
import type { ReceivedFile } from '../uploads/received.ts';
import { discard, incomingPath, type Storage } from '../uploads/storage.ts';
import { keyFor } from './idempotency-key.ts';
import { fetchNamed } from './named-files.ts';
import { keepSent, secondNames } from './sent-files.ts';
import type { WaitingKeys } from '../shared/waiting-keys.ts';

/** Dependencies of making changes. */
export interface ChangeDesk {
  readonly store: Store;
  readonly staging: Staging;
  readonly storage: Storage;
  readonly waiting: WaitingKeys;
}

/** A requested change, from a single call or a batch. */
export interface AskedChange {
  readonly target: Target;
  /** The path of the single call. */
  readonly path: string;
  readonly texts: ReadonlyMap<string, string>;
  /** In order: inline files and named staged files. */
  readonly files: readonly (ReceivedFile | NamedFile)[];
  /** The value of the header. */
  readonly ifMatch?: string;
  readonly key?: string;
  /** See RequestedChange. */
  readonly again?: Again;
  /** See RequestedChange. */
  readonly confirm?: () => Promise<void>;
}

/** Makes a change with its inline and staged files. Throws what the store throws, and 409 if staged files are missing. */
export async function makeChange(desk: ChangeDesk, caller: Caller, asked: AskedChange): Promise<Applied> {
  const { store, storage, staging } = desk;
  const inline = asked.files.filter(isReceived);
  /** Whatever lies on the disk for this change. */
  const held = [...inline];
  try {
    if (asked.files.length > storage.limits.maxFiles) throw tooManyFiles(storage.limits.maxFiles);
    const { files, fetched, missing } = await collect(desk, caller.user.id, asked.files, held);
    const sent = await secondNames(desk, inline);
    held.push(...sent);
    const { target, path, texts, ifMatch, again, confirm } = asked;
    const form = { texts, files };
    const bound = ifMatch === undefined ? {} : { ifMatch };
    const key = keyFor(asked.key, { path, form, ...bound });
    const keyed = key === undefined ? {} : { key };
    const repeated = again === undefined ? {} : { again };
    const sure = confirm === undefined ? {} : { confirm };
    const applied = await store
      .change(caller, { target, form, missing, ...bound, ...keyed, ...repeated, ...sure })
      .catch(async (error: unknown) => {
        // what has arrived is not sent again when the connection was lost
        if (caller.signal?.aborted === true) await keepSent(desk, caller, sent);
        throw error;
      });
    const used = staging.noteUse(
      caller.user.id,
      fetched.map(({ sha256 }) => sha256),
    );
    await used.catch((err: unknown) => caller.log.warn({ err }, 'use of staged files not noted'));
    await keepSent(desk, caller, sent);
    return applied;
  } finally {
    await discard(storage, held);
  }
}

/**
 * Collects the files of a change, and adds those that it fetches to `held`. A missing file keeps its place without bytes, so that
 * the fingerprint of a repeat matches.
 */
async function collect(desk: ChangeDesk, userId: number, files: AskedChange['files'], held: ReceivedFile[]) {
  const sources = { ...desk, userId };
  const collected: ReceivedFile[] = [];
  const fetched: ReceivedFile[] = [];
  const missing: string[] = [];
  for (const file of files) {
    const found = isReceived(file) ? file : await fetchNamed(sources, file);
    if (found === undefined) missing.push(file.sha256);
    else if (found !== file) {
      fetched.push(found);
      held.push(found);
    }
    collected.push(found ?? absent(desk.storage, file));
  }
  return { files: collected, fetched, missing };
}

/** True for a file that came along with the change. */
export function isReceived(file: ReceivedFile | NamedFile): file is ReceivedFile {
  return 'path' in file;
}

function absent(storage: Storage, { field, sha256 }: Pick<NamedFile, 'field' | 'sha256'>): ReceivedFile {
  return { field, sha256, path: incomingPath(storage), originalName: '', size: 0, type: undefined };
}
