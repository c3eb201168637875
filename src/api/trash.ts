import type { KeptFile } from '../domain/history.ts';
import {
  readTrash,
  type TrashEntry,
  type TrashPage,
  type TrashPart,
  trashAddress,
  trashedAddress,
  trashedFileAddress,
} from '../domain/protocol/trash.ts';
import { type CachedTrash, readTrashCopy, writeTrashCopy } from '../offline/cache/trash-copy.ts';
import { useSession } from '../stores/session.ts';
import { get, post } from './request.ts';
import { bringUpToDate } from './sources.ts';

/** Width of a picture in the trash, in pixels. */
const WIDTH = 100;

/** Returns a page of the trash. The first page of everything is kept on the device. Throws ApiFailure. */
export async function readTrashPage(part: TrashPart): Promise<TrashPage> {
  const fetchedAt = Date.now();
  const page = readTrash((await get(trashAddress(part))).body);
  // a copy that cannot be kept is no reason to show nothing
  if (trashAddress(part) === trashAddress({})) await writeTrashCopy({ page, fetchedAt }).catch(() => undefined);
  return page;
}

/** Returns the trash as this device last saw it. Undefined if it never did. */
export function trashCopy(): Promise<CachedTrash | undefined> {
  return readTrashCopy().catch(() => undefined);
}

/**
 * Restores a deleted record. A repeat under the same key restores nothing twice. The lists of this device show it as soon as the feed
 * tells of it. Throws ApiFailure.
 */
export async function restoreTrashed(entry: TrashEntry, key: string): Promise<void> {
  await post(trashedAddress(entry, 'restore'), undefined, key);
  void bringUpToDate();
}

/** Deletes a deleted record for good. Throws ApiFailure. */
export async function deleteForGood(entry: TrashEntry): Promise<void> {
  await post(trashedAddress(entry, 'delete'));
}

let fetching: Promise<unknown> = Promise.resolve();

/** Fetches a small picture of a deleted record, one after the other: the list matters more. Undefined if there is none. */
export function trashedPicture(name: string, signal: AbortSignal): Promise<Blob | undefined> {
  const next = fetching.then(() => (signal.aborted ? undefined : fetchPicture(name, signal)));
  fetching = next;
  return next;
}

async function fetchPicture(name: string, signal: AbortSignal): Promise<Blob | undefined> {
  const blob = await fetched(trashedFileAddress(name, WIDTH), signal);
  return blob?.type.startsWith('image/') === true ? blob : undefined;
}

/** Fetches a file of an earlier version of a record. Undefined if it cannot be had. */
export async function keptFile({ file, name }: KeptFile): Promise<File | undefined> {
  const blob = await fetched(trashedFileAddress(file));
  return blob && new File([blob], name, { type: blob.type });
}

/** The bytes of a file that only a signed-in user may read. Undefined without them: a proxy may answer with a page of its own. */
async function fetched(address: string, signal?: AbortSignal): Promise<Blob | undefined> {
  const { token } = useSession.getState();
  const headers = { Authorization: `Bearer ${token}`, Accept: 'image/avif,image/webp,*/*' };
  try {
    const answer = await fetch(address, { headers, ...(signal && { signal }) });
    const isFile = answer.ok && !/^text\/html|json/.test(answer.headers.get('Content-Type') ?? '');
    return isFile ? await answer.blob() : undefined;
  } catch {
    return undefined;
  }
}
