import { RESOURCES } from '../../../src/domain/resources/index.ts';
import type { Notices } from '../notices.ts';
import { type Database, tableOf } from './tables.ts';

/** A cause that no server has found for this long is over: the server that did is gone. Milliseconds. */
const FORGOTTEN_AFTER = 2 * 60 * 60 * 1000;
/** The least time between notes that a cause is still there. Milliseconds. */
const PRECISION = 10 * 60 * 1000;

/** Notices in a table. */
export function noticesIn({ db, now }: { readonly db: Database; readonly now: () => number }): Notices {
  const timeAt = (at: number) => new Date(at).toISOString();
  const rows = () => db.selectFrom('notices').selectAll().orderBy('since').orderBy('cause').execute();
  return {
    async note(found, mayEnd) {
      const at = timeAt(now());
      const known = new Map((await rows()).map((row) => [row.cause, row]));
      for (const { cause, text } of found) {
        const row = known.get(cause);
        const isCurrent = row?.text === text && row.over_at === null && row.seen_at > timeAt(now() - PRECISION);
        if (isCurrent) continue;
        await db
          .insertInto('notices')
          .values({ cause, text, since: at, seen_at: at, told_at: null, over_at: null })
          .onConflict((same) => same.column('cause').doUpdateSet({ text, seen_at: at, over_at: null }))
          .execute();
      }
      const here = new Set(found.map(({ cause }) => cause));
      const isOver = ({ cause, seen_at }: { readonly cause: string; readonly seen_at: string }) =>
        !here.has(cause) && (mayEnd(cause) || seen_at < timeAt(now() - FORGOTTEN_AFTER));
      for (const row of known.values())
        if (row.over_at === null && isOver(row))
          await db.updateTable('notices').set({ over_at: at }).where('cause', '=', row.cause).execute();
    },
    async list() {
      const found = await rows();
      return found.map(({ cause, text, since, told_at, over_at }) => ({
        cause,
        text,
        since,
        isTold: told_at !== null,
        isOver: over_at !== null,
      }));
    },
    async claim(cause) {
      const claim = db.updateTable('notices').set({ told_at: timeAt(now()) });
      const { numUpdatedRows } = await claim
        .where('cause', '=', cause)
        .where('told_at', 'is', null)
        .where('over_at', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    notTold: async (cause) =>
      void (await db.updateTable('notices').set({ told_at: null }).where('cause', '=', cause).execute()),
    async end(cause) {
      const ending = db.deleteFrom('notices').where('cause', '=', cause).where('over_at', 'is not', null);
      return (await ending.executeTakeFirst()).numDeletedRows > 0n;
    },
    async owners() {
      const found = await db.selectFrom('users').select('email').where('role', '=', 'owner').orderBy('id').execute();
      return found.map(({ email }) => email);
    },
    async isEmpty() {
      for (const resource of RESOURCES) {
        const one = await db.selectFrom(tableOf(resource)).select('id').limit(1).executeTakeFirst();
        if (one !== undefined) return false;
      }
      return true;
    },
  };
}
