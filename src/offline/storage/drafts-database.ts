import { Dexie, type DexieOptions, type Table } from 'dexie';
import type { Base } from '../../domain/outbox/vocabulary.ts';
import type { Values } from '../../domain/validate.ts';

/** What was typed into a form, without the bytes of its files. */
export interface FormDraftRow {
  readonly key: string;
  readonly values: Values;
  /** Keys of the files, in order. */
  readonly fileKeys: readonly string[];
  readonly base?: Base;
  /** Epoch milliseconds. */
  readonly savedAt: number;
}

/** A file picked into a form. It is written once, however often the form's text is. */
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

/** The small database of unfinished forms: neither queued (nobody pressed Save) nor disposable (it was typed by hand). */
export type DraftsDatabase = Dexie & {
  readonly drafts: Table<FormDraftRow, string>;
  readonly files: Table<FormDraftFile, string>;
};

/** A handle on the unfinished forms, opened at first use. */
export function draftsDatabase(name = 'voltdesk-drafts', options: DexieOptions = {}): DraftsDatabase {
  const database = new Dexie(name, { chromeTransactionDurability: 'relaxed', cache: 'disabled', ...options });
  database.version(1).stores({ drafts: 'key', files: 'key, draftKey' });
  return database as DraftsDatabase;
}
