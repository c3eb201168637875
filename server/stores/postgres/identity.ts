import { sql } from 'kysely';
import type { Database } from '../sql/tables.ts';

/** The cluster and the database in it. A standby that takes over has the same. Undefined if the provider does not tell. */
export async function identityOf(db: Database): Promise<string | undefined> {
  const asking = sql<{ identity: string }>`SELECT system_identifier || '/' || oid AS identity
    FROM pg_control_system(), pg_database WHERE datname = current_database()`.execute(db);
  return asking.then(({ rows }) => rows[0]?.identity, withoutPermission);
}

function withoutPermission(error: { readonly code?: string }): undefined {
  if (error.code !== '42501') throw error;
}
