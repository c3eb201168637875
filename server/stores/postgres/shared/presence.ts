import { sql } from 'kysely';
import { PRESENCE_LASTS, type Present } from '../../../../src/domain/protocol/presence.ts';
import { MOST_PAGES, type Presence } from '../../../shared/presence.ts';
import type { Database } from '../../sql/tables.ts';
import { type Clock, inTime } from './clock.ts';

/** Tracks who has which record open, across all servers. */
export function presenceAmong(db: Database, clock: Clock): Presence {
  return {
    async beat(user, { resource, id, page, doing }) {
      const record = `${resource}/${id}`;
      if (doing === 'left') {
        await sql`DELETE FROM open_pages WHERE user_id = ${user.id} AND page = ${page}`.execute(db);
      } else {
        const end = inTime(clock, PRESENCE_LASTS);
        await sql`INSERT INTO open_pages (user_id, page, name, record, is_typing, until)
          VALUES (${user.id}, ${page}, ${user.name}, ${record}, ${doing === 'typing'}, ${end})
          ON CONFLICT (user_id, page) DO UPDATE SET
            name = excluded.name, record = excluded.record, is_typing = excluded.is_typing, until = excluded.until`.execute(
          db,
        );
        await keepNewest(db, user.id);
      }
      return othersAt(db, clock, { record, userId: user.id });
    },
  };
}

async function keepNewest(db: Database, userId: number): Promise<void> {
  await sql`DELETE FROM open_pages WHERE user_id = ${userId} AND page IN
    (SELECT page FROM open_pages WHERE user_id = ${userId} ORDER BY until DESC, ctid DESC OFFSET ${MOST_PAGES})`.execute(
    db,
  );
}

async function othersAt(
  db: Database,
  clock: Clock,
  { record, userId }: { readonly record: string; readonly userId: number },
): Promise<Present[]> {
  const { rows } = await sql<Present>`SELECT min(name) AS name, bool_or(is_typing) AS "isTyping" FROM open_pages
    WHERE record = ${record} AND user_id <> ${userId} AND until >= ${clock()}
    GROUP BY user_id ORDER BY 2 DESC, min(until)`.execute(db);
  return rows;
}
