import type { KeptAnswer, Standing } from '../../../src/domain/protocol/kept.ts';
import type { Services } from '../../services.ts';
import { type Position, positionNow } from './epochs.ts';
import type { Database } from './tables.ts';
import { lastVerifiedBackup } from './verified-backup.ts';

/**
 * What devices have to know to keep confirmed changes until they are in a backup: the newest epoch, which tells that the
 * database may have been put back, and how far a verified backup reaches.
 */

interface World extends Pick<Services, 'backups'> {
  readonly db: Database;
}

/** How long one answer is good for: it is told with every page of the feed. Milliseconds. */
const GOOD_FOR = 1000;

/** The standing of a database, and a way to look again at once. */
export interface Standings {
  readonly current: () => Promise<Standing>;
  readonly forget: () => void;
}

/** Reads the standing at most once a second. */
export function standingsOf(world: World): Standings {
  let read: { readonly at: number; readonly standing: Promise<Standing> } | undefined;
  return {
    current() {
      const now = performance.now();
      if (read === undefined || now - read.at > GOOD_FOR) read = { at: now, standing: standingOf(world) };
      const { standing } = read;
      // a failure is not remembered
      standing.catch(() => (read = undefined));
      return standing;
    },
    forget: () => (read = undefined),
  };
}

async function standingOf(world: World): Promise<Standing> {
  const [{ epoch }, held] = await Promise.all([positionNow(world.db), heldPosition(world)]);
  return { epoch, ...(held === undefined ? {} : { backedUp: `${held.epoch}.${held.seq}` }) };
}

/** The position that a verified backup holds. Undefined if none does, or it is of a history that this database has forgotten. */
async function heldPosition({ db, backups }: World): Promise<Position | undefined> {
  return (await lastVerifiedBackup(backups, db))?.verified.position;
}

/** Which of a user's keys are forgotten, and which are in a verified backup. */
export async function keptUnder(world: World, userId: number, keys: readonly string[]): Promise<KeptAnswer> {
  // before the keys: what a backup reaches meanwhile is told the next time
  const held = await heldPosition(world);
  const rows = await world.db
    .selectFrom('idempotency_keys')
    .select(['key', 'made_by'])
    .where('user_id', '=', userId)
    .where('key', 'in', keys)
    .execute();
  const known = new Set(rows.map(({ key }) => key));
  return {
    forgotten: keys.filter((key) => !known.has(key)),
    backedUp: rows.filter(({ made_by }) => held !== undefined && made_by <= held.seq).map(({ key }) => key),
  };
}
