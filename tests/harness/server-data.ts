import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { ResourceName } from '../../src/domain/resource.ts';

export type StoredRow = Readonly<Record<string, unknown>> & { readonly id: number };

/** Reads a server's data folder: the database, opened read-only, and the uploads on disk. */
export class ServerData {
  readonly #dataDir: string;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  /** Rows of a resource, in order of creation. */
  rows(resource: ResourceName): StoredRow[] {
    return this.query(`SELECT * FROM ${resource.replaceAll('-', '_')} ORDER BY id`) as StoredRow[];
  }

  /** SHA-256 of a record's images as received, in the order in which they were stored. */
  imageHashes(resource: ResourceName, recordId: number): string[] {
    const rows = this.query(
      `SELECT received_sha256 FROM images JOIN files ON files.name = images.image
        WHERE resource = ? AND record_id = ? ORDER BY images.id`,
      resource,
      recordId,
    );
    return rows.map((row) => String(row['received_sha256']));
  }

  /** SHA-256 of a stored file as received. */
  receivedHash(name: unknown): string | undefined {
    const [row] = this.query('SELECT received_sha256 FROM files WHERE name = ?', String(name));
    return row === undefined ? undefined : String(row['received_sha256']);
  }

  /** SHA-256 of a stored file as it is in the uploads folder. */
  storedHash(name: unknown): string {
    return createHash('sha256')
      .update(readFileSync(join(this.#dataDir, 'uploads', String(name))))
      .digest('hex');
  }

  query(statement: string, ...values: SQLInputValue[]): Record<string, unknown>[] {
    const db = new DatabaseSync(join(this.#dataDir, 'voltdesk.sqlite'), { readOnly: true, timeout: 5000 });
    try {
      return db.prepare(statement).all(...values);
    } finally {
      db.close();
    }
  }
}
