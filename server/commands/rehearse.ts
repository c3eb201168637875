import { join } from 'node:path';
import type { Difference, Rehearsal } from '../../src/domain/protocol/backups.ts';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { readMigrations } from '../migrations/index.ts';
import type { TellStep } from '../ops/backup-steps.ts';
import { timeIn } from '../ops/backup-places.ts';
import { type Database, tableOf } from '../stores/sql/tables.ts';
import { type BackupInventory, inventoryOf } from '../stores/sqlite/sqlite-read-backup.ts';
import { hasDatabase } from '../stores/sqlite/database-file.ts';
import { type Kept, openBeside } from './installation.ts';
import { openedBackup } from './restore.ts';
import { inWorkFolder } from './work-folder.ts';

/** A backup to be looked at, and the installation that it would replace. */
export interface Rehearsing extends Kept {
  readonly file: string;
  /** The name that says when it was begun. */
  readonly name: string;
  /** Opens an encrypted backup. */
  readonly key: string;
  readonly tell?: TellStep;
}

/**
 * Says what a restore would change, and changes nothing, also beside a running server. Reads all of the backup, one file of it at a time.
 * Throws if it could not be restored at all.
 */
export async function rehearse({ file, name, key, tell, ...here }: Rehearsing): Promise<Rehearsal> {
  return inWorkFolder(here.dataDir, [], async (folder) => {
    const backup = inventoryOf(await openedBackup(file, join(folder, 'opened'), key), tell);
    const at = timeIn(name);
    const { damaged } = backup;
    const records = [...backup.records.values()].reduce((sum, { size }) => sum + size, 0);
    const total = { records, files: backup.files };
    const known = Object.keys(await readMigrations());
    const isNewer = backup.migrations.some((migration) => !known.includes(migration));
    return { ...(at === undefined ? {} : { at }), ...(await differencesTo(here, backup)), total, damaged, isNewer };
  });
}

type Differences = Pick<Rehearsal, 'records' | 'files' | 'people'>;

async function differencesTo(here: Kept, backup: BackupInventory): Promise<Differences> {
  if (here.databaseUrl === '' && !hasDatabase(here.dataDir)) return differences(backup, EMPTY);
  const db = await openBeside(here);
  return inventoryIn(db)
    .then((present) => differences(backup, present))
    .finally(() => db.destroy());
}

type States = Pick<BackupInventory, 'records' | 'hashes' | 'people'>;

const EMPTY: States = { records: new Map(), hashes: new Map(), people: new Map() };

function differences(backup: States, present: States): Differences {
  const kinds = RESOURCES.map(({ name }) => {
    const [then, now] = [backup.records.get(name) ?? new Map(), present.records.get(name) ?? new Map()];
    return [name, differenceOf<number>(then, now)] as const;
  });
  const differing = kinds.filter(([, { back, gone, changed }]) => back + gone + changed > 0);
  return {
    records: Object.fromEntries(differing),
    files: differenceOf(backup.hashes, present.hashes),
    people: differenceOf(backup.people, present.people),
  };
}

/** How states of things, by what identifies them, would differ after going back from `now` to `then`. */
function differenceOf<K>(then: ReadonlyMap<K, string>, now: ReadonlyMap<K, string>): Difference {
  const count = (one: ReadonlyMap<K, string>, counts: (id: K, state: string) => boolean) =>
    [...one].filter(([id, state]) => counts(id, state)).length;
  return {
    back: count(then, (id) => !now.has(id)),
    gone: count(now, (id) => !then.has(id)),
    changed: count(then, (id, state) => now.has(id) && now.get(id) !== state),
  };
}

async function inventoryIn(db: Database): Promise<States> {
  const records = new Map<string, ReadonlyMap<number, string>>();
  for (const resource of RESOURCES) {
    const rows = await db.selectFrom(tableOf(resource)).select(['id', 'version']).execute();
    records.set(resource.name, new Map(rows.map(({ id, version }) => [id, version])));
  }
  const files = await db.selectFrom('files').select(['name', 'sha256']).execute();
  const people = await db.selectFrom('users').select(['id', 'updated_at']).execute();
  return {
    records,
    hashes: new Map(files.map(({ name, sha256 }) => [name, sha256])),
    people: new Map(people.map(({ id, updated_at }) => [id, updated_at])),
  };
}
