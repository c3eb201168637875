import type { DeviceFacts, PersonsDevice } from '../../../src/domain/protocol/devices.ts';
import type { Devices } from '../devices.ts';
import type { Database } from './tables.ts';

/** Devices of one person. The one silent for longest gives way; a person has a handful. */
const MOST_DEVICES = 50;

const DAY = 24 * 60 * 60 * 1000;
/** How long a silent device is listed: one with nothing to lose, and one with waiting changes. Milliseconds. */
const LISTED = { idle: 30 * DAY, waiting: 365 * DAY };

/** The least time between two writes about a device that reports the same. Milliseconds. */
const PRECISION = 60_000;

/** Sessions remembered in memory. */
const MOST_REMEMBERED = 10_000;

/** Devices in a table. */
export function devicesIn({ db, now }: { readonly db: Database; readonly now: () => number }): Devices {
  /** What was last written, by session: a report with every request must not cost a write each. */
  const written = new Map<string, { readonly text: string; readonly at: number }>();
  /** When sessions last sent something without their page. */
  const sending = new Map<string, number>();
  const remember = (token: string, text: string) => {
    if (written.size >= MOST_REMEMBERED) written.clear();
    written.set(token, { text, at: now() });
  };
  return {
    async note({ user, tokenHash }, { id, device, version, waiting, since, used, quota }) {
      const text = [id, device, version, waiting, since].join(' ');
      const last = written.get(tokenHash);
      const isSame = last?.text === text && Math.abs(now() - last.at) < PRECISION;
      if (isSame && !sending.has(tokenHash)) return;
      sending.delete(tokenHash);
      remember(tokenHash, text);
      const row = {
        token: tokenHash,
        device,
        version,
        seen_at: timeAt(now()),
        waiting,
        since: waiting === 0 || since === undefined ? null : timeAt(Math.min(since * 1000, now())),
        used: used ?? null,
        quota: quota ?? null,
      };
      await db
        .insertInto('devices')
        .values({ user_id: user.id, id, ...row })
        .onConflict((same) => same.columns(['user_id', 'id']).doUpdateSet(row))
        .execute();
      await endSurplus(db, user.id);
    },
    async sends({ tokenHash }) {
      // another server may have received a report meanwhile
      if (Math.abs(now() - (sending.get(tokenHash) ?? 0)) < PRECISION) return;
      if (sending.size >= MOST_REMEMBERED) sending.clear();
      sending.set(tokenHash, now());
      const changed = { waiting: null, since: null, seen_at: timeAt(now()) };
      await db.updateTable('devices').set(changed).where('token', '=', tokenHash).where('waiting', '>', 0).execute();
    },
    list: () => listed(db, now()),
    async forget(id) {
      const [user, device] = id.split('.');
      const gone = db
        .deleteFrom('devices')
        .where('user_id', '=', Number(user))
        .where('id', '=', device ?? '');
      return /^\d{1,15}\.[\w-]+$/.test(id) && (await gone.executeTakeFirst()).numDeletedRows > 0n;
    },
  };
}

/** The devices of all people that are still worth a line, without those long gone, which it removes. */
async function listed(db: Database, now: number): Promise<PersonsDevice[]> {
  await db
    .deleteFrom('devices')
    .where((where) =>
      where.or([
        where('seen_at', '<', timeAt(now - LISTED.waiting)),
        where.and([
          where('seen_at', '<', timeAt(now - LISTED.idle)),
          where.or([where('waiting', 'is', null), where('waiting', '=', 0)]),
        ]),
      ]),
    )
    .execute();
  const rows = await db
    .selectFrom('devices')
    .innerJoin('users', 'users.id', 'devices.user_id')
    .leftJoin('tokens', 'tokens.hash', 'devices.token')
    .selectAll('devices')
    .select(['users.name as person', 'tokens.used_at'])
    .execute();
  const devices = rows.map(({ user_id, id, person, ...row }) => ({ id: `${user_id}.${id}`, person, ...factsOf(row) }));
  return devices.toSorted(
    (one, other) =>
      Number((other.waiting ?? 0) > 0) - Number((one.waiting ?? 0) > 0) || (one.lastSeenAt < other.lastSeenAt ? 1 : -1),
  );
}

/** The columns of a device that people see, and when its session was last used. */
interface DeviceColumns {
  readonly device: string;
  readonly version: string;
  readonly seen_at: string;
  readonly waiting: number | null;
  readonly since: string | null;
  readonly used: number | null;
  readonly quota: number | null;
  readonly used_at?: string | null;
}

/** What people see of a device. */
function factsOf({ device, version, seen_at, used_at, waiting, since, used, quota }: DeviceColumns): DeviceFacts {
  return {
    device,
    version,
    // the worker of a closed page uses the session too
    lastSeenAt: [used_at ?? '', seen_at].toSorted().at(-1) ?? seen_at,
    ...(waiting === null ? {} : { waiting }),
    ...(since === null ? {} : { waitingSince: since }),
    ...(used === null ? {} : { used }),
    ...(quota === null ? {} : { quota }),
  };
}

/** Removes the devices of a person that are too many, those silent for longest. */
async function endSurplus(db: Database, userId: number): Promise<void> {
  const kept = await db
    .selectFrom('devices')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('seen_at', 'desc')
    .orderBy('id')
    .limit(MOST_DEVICES + 1)
    .execute();
  if (kept.length <= MOST_DEVICES) return;
  const names = kept.slice(0, MOST_DEVICES).map(({ id }) => id);
  await db.deleteFrom('devices').where('user_id', '=', userId).where('id', 'not in', names).execute();
}

const timeAt = (at: number) => new Date(at).toISOString();
