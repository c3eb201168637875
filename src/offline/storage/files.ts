import type { FileReference } from '../../domain/outbox/vocabulary.ts';
import type { Environment } from './environment.ts';
import { FileLostError, FileUnreadableError } from './errors.ts';
import type { OutboxDatabase, StoredFile } from './outbox-database.ts';
import { transact } from './transactions.ts';

/** A picked file. Its bytes are already copied, because engines revoke picked files. */
export interface PickedFile {
  /** The field name, without `[]`. */
  readonly field: string;
  readonly blob: Blob;
  readonly name: string;
  readonly type: string;
  /** Lower-case hexadecimal SHA-256, if the form computed it while copying the bytes. The save then only writes. */
  readonly sha256?: string;
}

/** Storage of file bytes in IndexedDB, with all its workarounds. */

/** A file whose bytes have been read. Only the write remains. */
export interface PreparedFile {
  readonly reference: FileReference;
  readonly bytes: Blob | ArrayBuffer;
}

/** Up to this size bytes are stored as an ArrayBuffer: small Blobs take two to three times as long to write, read and remove. */
const SMALL = 256 * 1024;

/** Prepares picked files for writing. Throws FileUnreadableError for one that was revoked, changed or empty. */
export async function prepareFiles(
  environment: Environment,
  files: readonly PickedFile[],
): Promise<readonly PreparedFile[]> {
  const prepared: PreparedFile[] = [];
  // Sequential: ten photos at once would exceed the memory of a small tablet.
  for (const file of files) prepared.push(await prepare(environment, file));
  return prepared;
}

/** A large file that was copied and hashed when picked is used as is. Any other is read in full. */
async function prepare({ uuid, keepsBlobs }: Environment, file: PickedFile): Promise<PreparedFile> {
  const { field, name, type, blob, sha256: known } = file;
  const facts = { id: uuid(), field, name, type, size: blob.size };
  const asBlob = keepsBlobs && blob.size > SMALL;
  if (asBlob && known !== undefined) return { reference: { ...facts, sha256: known }, bytes: blob };
  const bytes = await wholeBytes(file);
  const reference = { ...facts, sha256: known ?? (await sha256(bytes)) };
  return { reference, bytes: asBlob ? new Blob([bytes], { type }) : bytes };
}

async function wholeBytes({ blob, name }: PickedFile): Promise<ArrayBuffer> {
  const bytes = await blob.arrayBuffer().catch((cause: unknown) => {
    throw new FileUnreadableError(name, cause);
  });
  if (bytes.byteLength === 0 || bytes.byteLength !== blob.size) throw new FileUnreadableError(name);
  return bytes;
}

/** Writes prepared files. Joins the current transaction. */
export async function storeFiles(
  outbox: OutboxDatabase,
  entryId: string,
  prepared: readonly PreparedFile[],
): Promise<void> {
  if (prepared.length === 0) return;
  const rows = prepared.map(({ reference, bytes }): StoredFile => {
    const { id, name, type, size, sha256: hash } = reference;
    return { id, entryId, name, type, size, sha256: hash, bytes };
  });
  await outbox.files.bulkPut(rows);
}

/** Removes the bytes of files. Joins the current transaction. */
export async function removeFiles(outbox: OutboxDatabase, files: readonly FileReference[]): Promise<void> {
  if (files.length === 0) return;
  await outbox.files.bulkDelete(files.map(({ id }) => id));
}

/**
 * Returns a stored file as a new `File` with its name and type. Throws FileLostError if it is missing or its size or hash differs
 * from what was saved: Safari has returned stored files with 0 bytes, and such a file must never be sent.
 */
export async function openFile(environment: Environment, reference: FileReference): Promise<File> {
  const stored = await storedFile(environment, reference);
  const bytes = await bytesOf(stored).catch(() => undefined);
  const intact =
    bytes !== undefined && bytes.byteLength === reference.size && (await sha256(bytes)) === reference.sha256;
  if (!intact) throw new FileLostError(reference.name);
  return new File([bytes], reference.name, { type: reference.type });
}

/** The bytes of a stored file, for chunked reading. Undefined if they are missing or their size differs from what was saved. */
export async function storedBytes(environment: Environment, reference: FileReference): Promise<Blob | undefined> {
  const stored = await storedFile(environment, reference);
  if (stored === undefined) return undefined;
  const blob = stored.bytes instanceof Blob ? stored.bytes : new Blob([stored.bytes]);
  return blob.size === reference.size ? blob : undefined;
}

/** Chromium rejects a large value whose own file on the disk is gone or damaged. It never comes back. */
async function storedFile({ outbox }: Environment, { id }: FileReference): Promise<StoredFile | undefined> {
  return transact(outbox, 'r', [outbox.files], () => outbox.files.get(id)).catch((failure: Error) => {
    if (/^(Data|NotReadable)Error$/.test(failure.name)) return undefined;
    throw failure;
  });
}

/** Returns the lower-case hexadecimal SHA-256. */
export async function sha256(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function bytesOf(stored: StoredFile | undefined): Promise<ArrayBuffer | undefined> {
  return stored?.bytes instanceof Blob ? stored.bytes.arrayBuffer() : stored?.bytes;
}
