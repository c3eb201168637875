import { isMetered, type Travel, type Upload } from '../../domain/outbox/uploads.ts';
import type { FileReference } from '../../domain/outbox/vocabulary.ts';
import type { Environment } from './environment.ts';
import { readMeta } from './meta.ts';
import type { OutboxDatabase } from './outbox-database.ts';

/**
 * How far the files have come that travel before their changes: rows of the table that every version of the app knows, so that old
 * tabs stay usable.
 */

/**
 * What is known of the signed-in administrator's files, and of those that travel before their changes. Undefined where nobody is signed
 * in. Joins the transaction it is called in.
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

/** What one file has come to; one that is not known has not begun. Joins the transaction it is called in. */
export async function readUpload(
  outbox: OutboxDatabase,
  administrator: string,
  { sha256, size }: Pick<FileReference, 'sha256' | 'size'>,
): Promise<Upload> {
  const row = await outbox.meta.get(keyOf(administrator, sha256));
  return (row?.value as Upload | undefined) ?? { sha256, size, offset: 0, failures: 0, restarts: 0, triedAt: 0 };
}

/** Notes how far a file has come. Joins the transaction it is called in. */
export async function writeUpload(outbox: OutboxDatabase, administrator: string, upload: Upload): Promise<void> {
  await outbox.meta.put({ key: keyOf(administrator, upload.sha256), value: upload });
}

/** Ends the waits of all files. Joins the transaction it is called in. */
export async function endUploadWaits(outbox: OutboxDatabase): Promise<void> {
  const rows = await outbox.meta.where('key').startsWith(PREFIX).toArray();
  const waiting = rows.filter(({ value }) => (value as Upload).notBefore !== undefined);
  await outbox.meta.bulkPut(waiting.map(({ key, value }) => ({ key, value: { ...(value as Upload), notBefore: 0 } })));
}

const PREFIX = 'upload/';

function keyOf(administrator: string, sha256: string): string {
  return `${PREFIX}${administrator}/${sha256}`;
}

/** Forgets the files that nobody's change brings any more. Joins the transaction it is called in. */
export async function forgetUploadsBut(outbox: OutboxDatabase, hashes: ReadonlySet<string>): Promise<void> {
  const rows = await outbox.meta.where('key').startsWith(PREFIX).toArray();
  await outbox.meta.bulkDelete(rows.filter(({ value }) => !hashes.has((value as Upload).sha256)).map(({ key }) => key));
}
