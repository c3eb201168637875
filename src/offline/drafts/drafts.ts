import type { Base } from '../../domain/outbox/vocabulary.ts';
import type { Values } from '../../domain/validate.ts';
import { transact } from '../storage/transactions.ts';
import { browserEnvironment } from '../storage/browser-environment.ts';
import { type DraftsDatabase, draftsDatabase, type FormDraftFile } from '../storage/drafts-database.ts';

/** A file of an unsaved form. */
export interface DraftFile {
  readonly key: string;
  readonly field: string;
  readonly blob: Blob;
  readonly name: string;
  readonly type: string;
  readonly sha256?: string;
  readonly originalSize?: number;
}

/** An unsaved form as last stored. `savedAt` is in epoch milliseconds, 0 before a form has stored it. */
export interface FormDraft {
  readonly values: Values;
  readonly files: readonly DraftFile[];
  /** The base version: the record when the edit began. */
  readonly base?: Base;
  /** The id of the refused change that the form repairs. Its files are among the draft's. */
  readonly repairing?: string;
  readonly savedAt: number;
}

export interface DraftStore {
  /** Reads the form stored under a key, with its files in order. */
  read(key: string): Promise<FormDraft | undefined>;
  /** Stores a form. Files that are already stored are not written again. */
  write(key: string, draft: FormDraft): Promise<void>;
  /** Removes a form and its files. */
  remove(key: string): Promise<void>;
}

/** Stores unsaved forms in a database. `keepsBlobs` is false in an engine that loses stored Blobs. */
export function draftStore(database: DraftsDatabase, keepsBlobs: boolean): DraftStore {
  const { drafts, files } = database;
  return {
    read: (key) =>
      transact(database, 'r', [drafts, files], async () => {
        const row = await drafts.get(key);
        if (row === undefined) return undefined;
        const found = await files.bulkGet([...row.fileKeys]);
        const { fileKeys: _, key: __, ...rest } = row;
        return { ...rest, files: found.filter((file) => file !== undefined).map(opened) };
      }),
    write: async (key, { files: now, ...draft }) => {
      const present = new Set(
        await transact(database, 'r', [files], () => files.where('draftKey').equals(key).primaryKeys()),
      );
      // Read bytes before the transaction: IndexedDB commits a transaction that awaits anything else.
      const added = await Promise.all(
        now.filter((file) => !present.has(file.key)).map((file) => closed(file, key, keepsBlobs)),
      );
      const fileKeys = now.map((file) => file.key);
      await transact(database, 'rw', [drafts, files], async () => {
        await files.bulkDelete([...present].filter((fileKey) => !fileKeys.includes(fileKey)));
        await files.bulkPut(added);
        await drafts.put({ ...draft, key, fileKeys });
      });
    },
    remove: (key) =>
      transact(database, 'rw', [drafts, files], async () => {
        await files.where('draftKey').equals(key).delete();
        await drafts.delete(key);
      }),
  };
}

let shared: DraftsDatabase | undefined;

/** The database of this device's unsaved forms. */
export function deviceDatabase(): DraftsDatabase {
  shared ??= draftsDatabase();
  return shared;
}

/** The unsaved forms of this device. */
export function deviceDrafts(): DraftStore {
  return draftStore(deviceDatabase(), browserEnvironment().keepsBlobs);
}

/** A file as it is stored: as bytes in an engine that loses stored Blobs. */
export async function closed(file: DraftFile, draftKey: string, keepsBlobs: boolean): Promise<FormDraftFile> {
  const { blob, ...facts } = file;
  return { ...facts, draftKey, bytes: keepsBlobs ? blob : await blob.arrayBuffer() };
}

function opened(file: FormDraftFile): DraftFile {
  const { bytes, draftKey: _, ...facts } = file;
  return { ...facts, blob: new Blob([bytes], { type: facts.type }) };
}
