import { type RawBuilder, sql } from 'kysely';
import type { Pool } from 'pg';
import { isSingleFile } from '../../../src/domain/fields.ts';
import type { AnyResource } from '../../../src/domain/resource.ts';
import type { StoredFile } from '../../uploads/storage.ts';
import type { RemoteReads } from '../sql/engine.ts';
import { wholeRecord } from '../sql/read.ts';
import type { ImageRow } from '../sql/record-files.ts';
import { type Database, type RecordRow, tableOf } from '../sql/tables.ts';
import type { SessionRow } from '../sql/tokens.ts';
import { owesFactor } from '../sql/users.ts';
import { asAway } from './away.ts';

/** A session and a stored record. */
interface Found extends SessionRow {
  readonly record: RecordRow | null;
  readonly images: readonly ImageRow[] | null;
  readonly files: readonly StoredFile[] | null;
}

/** A statement that each connection prepares once. */
interface Prepared {
  readonly name: string;
  readonly text: string;
}

/**
 * Combined reads that save a round trip. Each statement is built once and prepared once per connection. Rows are returned as
 * JSON, so that a column added by a newer server does not change the result of a prepared statement.
 */
export function remoteReads(db: Database, pool: Pool): RemoteReads {
  const statements = new Map<string, Prepared>();
  return {
    async sessionAndRecord(tokenHash, resource, id) {
      const statement = statements.get(resource.name) ?? sessionAndRecord(db, resource);
      statements.set(resource.name, statement);
      const { rows } = await pool.query<Found>({ ...statement, values: [tokenHash, id] }).catch(asAway);
      const [found] = rows;
      if (found === undefined) return undefined;
      const { record: row, images, files, ...session } = found;
      if (row === null) return { session, record: undefined };
      return { session, record: wholeRecord(resource, { row, images: images ?? [], files: files ?? [] }) };
    },
  };
}

function sessionAndRecord(db: Database, resource: AnyResource): Prepared {
  const table = sql.table(tableOf(resource));
  const images = sql`images WHERE images.resource = ${sql.lit(resource.name)} AND images.record_id = asked.id`;
  const named = [
    sql`SELECT images.image FROM ${images}`,
    ...resource.fields
      .filter(isSingleFile)
      .map(({ name }) => sql`SELECT one.${sql.id(name)} FROM ${table} AS one WHERE one.id = asked.id`),
  ];
  const statement: RawBuilder<Found> = sql`SELECT row_to_json(users) AS "user", tokens.created_at AS issued_at, tokens.used_at,
    tokens.waiting, ${owesFactor.expression} AS owes_factor,
    (SELECT row_to_json(one) FROM ${table} AS one WHERE one.id = asked.id) AS record,
    (SELECT json_agg(json_build_object('id', images.id, 'image', images.image) ORDER BY images.id) FROM ${images}) AS images,
    (SELECT json_agg(row_to_json(files)) FROM files WHERE files.name IN (${sql.join(named, sql` UNION ALL `)})) AS files
    FROM (SELECT ${''}::text COLLATE "C" AS hash, ${0}::bigint AS id) AS asked
    JOIN tokens ON tokens.hash = asked.hash JOIN users ON users.id = tokens.user_id`;
  return { name: `session and ${resource.name}`, text: statement.compile(db).sql };
}
