import { Dexie, type DexieOptions, type Table } from 'dexie';
import type { Base } from '../../domain/outbox/vocabulary.ts';
import type { Values } from '../../domain/validate.ts';

/** The content of an unsaved form, without the bytes of its files. */
export interface FormDraftRow {
  readonly key: string;
  readonly values: Values;
  /** Keys of the files, in order. */
  readonly fileKeys: readonly string[];
  readonly base?: Base;
  readonly repairing?: string;
  /** Epoch milliseconds. */
  readonly savedAt: number;
}

/** A file of an unsaved form. Written once, however often the text is saved. */
export interface FormDraftFile {
  readonly key: string;
  readonly draftKey: string;
  readonly field: string;
  readonly name: string;
  readonly type: string;
  readonly sha256?: string;
  readonly originalSize?: number;
  readonly bytes: Blob | ArrayBuffer;
}

/** The database of unsaved forms. They are not in the outbox, as nobody pressed Save, and not disposable, as a user typed them. */
export type DraftsDatabase = Dexie & {
  readonly drafts: Table<FormDraftRow, string>;
  readonly files: Table<FormDraftFile, string>;
};

/** Creates a handle on the unsaved forms. Opens the database on first use. */
export function draftsDatabase(name = 'voltdesk-drafts', options: DexieOptions = {}): DraftsDatabase {
  const database = new Dexie(name, { chromeTransactionDurability: 'relaxed', cache: 'disabled', ...options });
  database.version(1).stores({ drafts: 'key', files: 'key, draftKey' });
  return database as DraftsDatabase;
}
