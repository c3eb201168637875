import { isMetered, type Travel, type Upload } from '../../domain/outbox/uploads.ts';
import type { FileReference } from '../../domain/outbox/vocabulary.ts';
import type { Environment } from './environment.ts';
import { readMeta } from './meta.ts';
import type { OutboxDatabase } from './outbox-database.ts';

/**
 * Progress of uploads of staged files, which precede their changes. Stored as rows of the `meta` table, which every version of the
 * app knows, so that old tabs stay usable.
 */

/**
 * The uploads of the signed-in administrator, and the limits for them. Undefined if nobody is signed in. Joins the current
 * transaction.
 */
export async function readTravel({ outbox, linkType }: Environment): Promise<Travel | undefined> {
  const [capabilities, session, limits] = await Promise.all([
    readMeta(outbox, 'capabilities'),
    readMeta(outbox, 'session'),
    readMeta(outbox, 'wifiOver'),
  ]);
  if (session === undefined) return undefined;
  const { administrator } = session;
  const staging = capabilities?.told.staging;
  const wifiOver = limits?.[administrator];
  const rows = await outbox.meta.where('key').startsWith(keyOf(administrator, '')).toArray();
  return {
    uploads: new Map(rows.map(({ value }) => [(value as Upload).sha256, value as Upload])),
    ...(staging && { fromBytes: staging.fromBytes }),
    ...(wifiOver === undefined ? {} : { wifiOver, metered: isMetered(linkType?.()) }),
  };
}

/** The upload of a file. An unknown one has not begun. Joins the current transaction. */
export async function readUpload(
  outbox: OutboxDatabase,
  administrator: string,
  { sha256, size }: Pick<FileReference, 'sha256' | 'size'>,
): Promise<Upload> {
  const row = await outbox.meta.get(keyOf(administrator, sha256));
  return (row?.value as Upload | undefined) ?? { sha256, size, offset: 0, failures: 0, restarts: 0, triedAt: 0 };
}

/** Stores the progress of an upload. Joins the current transaction. */
export async function writeUpload(outbox: OutboxDatabase, administrator: string, upload: Upload): Promise<void> {
  await outbox.meta.put({ key: keyOf(administrator, upload.sha256), value: upload });
}

/** Ends the backoff of all uploads. Joins the current transaction. */
export async function endUploadWaits(outbox: OutboxDatabase): Promise<void> {
  const rows = await outbox.meta.where('key').startsWith(PREFIX).toArray();
  const waiting = rows.filter(({ value }) => (value as Upload).notBefore !== undefined);
  await outbox.meta.bulkPut(waiting.map(({ key, value }) => ({ key, value: { ...(value as Upload), notBefore: 0 } })));
}

const PREFIX = 'upload/';

function keyOf(administrator: string, sha256: string): string {
  return `${PREFIX}${administrator}/${sha256}`;
}

/** Removes all uploads except those of the given hashes. Joins the current transaction. */
export async function forgetUploadsBut(outbox: OutboxDatabase, hashes: ReadonlySet<string>): Promise<void> {
  const rows = await outbox.meta.where('key').startsWith(PREFIX).toArray();
  await outbox.meta.bulkDelete(rows.filter(({ value }) => !hashes.has((value as Upload).sha256)).map(({ key }) => key));
}
