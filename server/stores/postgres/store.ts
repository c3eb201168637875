import { sql } from 'kysely';
import type { Services } from '../../services.ts';
import { lastSeq } from '../sql/feed.ts';
import { type OpenedStore, openStore } from '../sql/store.ts';
import type { Database } from '../sql/tables.ts';
import { listen } from './bell.ts';
import { openPostgres } from './open.ts';
import { openClient } from './pool.ts';
import { runningAmong } from './running.ts';

/**
 * Opens the store of a PostgreSQL database, which several servers may share. Throws when it cannot be reached or is newer than this
 * program.
 */
export async function openPostgresStore(services: Services, address: string): Promise<OpenedStore> {
  const db = await openPostgres(address);
  const bell = listen(() => openClient(address));
  const { store, services: own } = await openStore(services, {
    db,
    running: runningAmong(db),
    bell,
    // Every change that lists show has a number.
    revision: async () => String(await lastSeq(db)),
    size: () => sizeOf(db),
  });
  const close = async () => {
    await bell.close();
    await store.close();
  };
  return { store: { ...store, close }, services: own };
}

async function sizeOf(db: Database): Promise<number> {
  const { rows } = await sql<{ size: number }>`SELECT pg_database_size(current_database()) AS size`.execute(db);
  return rows[0]?.size ?? 0;
}
