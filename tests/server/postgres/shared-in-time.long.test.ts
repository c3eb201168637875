import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openPostgres } from '../../../server/stores/postgres/open.ts';
import { openPostgresEngine } from '../../../server/stores/postgres/store.ts';
import { clockOf } from '../../../server/stores/postgres/shared/clock.ts';
import { sharedAmong } from '../../../server/stores/postgres/shared/shared.ts';
import { sweepShared } from '../../../server/stores/postgres/shared/tables.ts';
import type { Upload } from '../../../server/staging/upload-store.ts';
import { realDisk } from '../../../server/uploads/disk.ts';
import { freshFolder } from '../harness.ts';
import { untouchedDatabase } from '../on-postgres.ts';
import { soon } from '../../harness/soon.ts';

/** The state that servers share, with a clock that the tests set. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const NADIA = { id: 1, name: 'Nadia' };
const OMAR = { id: 2, name: 'Omar' };

let db: Awaited<ReturnType<typeof openPostgres>>;
let time = Date.UTC(2026, 10, 23);
const now = () => time;
const clock = clockOf(now);

beforeAll(async () => {
  db = await openPostgres(await untouchedDatabase('in_time'));
});
afterAll(() => db.destroy());

beforeEach(async () => {
  time += 60 * MINUTE;
  for (const table of ['tries', 'tickets', 'open_pages', 'waiting_keys', 'live_seats', 'staged_uploads'])
    await sql`DELETE FROM ${sql.table(table)}`.execute(db);
});

/** A server of this database. */
function server() {
  const among = sharedAmong(db, { randomBytes, now });
  onTestFinished(() => among.close());
  return among.shared;
}

const count = async (table: string) => {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM ${sql.table(table)}`.execute(db);
  return rows[0]?.count;
};

describe('attempts', () => {
  test('count for a minute each, and the oldest determines the waiting time', async () => {
    const { attempts } = server();
    const limits = [{ key: 'nadia', most: 2 }];
    expect(await attempts.take(limits)).toBeUndefined();
    time += 20 * SECOND;
    expect(await attempts.take(limits)).toBeUndefined();
    time += 10 * SECOND;
    expect(await attempts.take(limits)).toBe(30);
    time += 31 * SECOND;
    expect(await attempts.take(limits)).toBeUndefined();
    expect(await attempts.take(limits)).toBe(19);
  });

  test('leave the earlier ones unchanged when they succeed', async () => {
    const { attempts } = server();
    const limits = [{ key: 'nadia', most: 2 }];
    await attempts.take(limits);
    time += 20 * SECOND;
    await attempts.take(limits);
    await attempts.refund(limits);
    await attempts.take(limits);
    expect(await attempts.take(limits)).toBe(40);
  });

  test('wait for the longest of several limits, and count for none when refused', async () => {
    const { attempts } = server();
    const both = [
      { key: 'address', most: 5 },
      { key: 'nadia', most: 1 },
    ];
    await attempts.take([{ key: 'address', most: 5 }]);
    expect(await attempts.take(both)).toBeUndefined();
    for (let tried = 0; tried < 4; tried += 1) expect(await attempts.take(both)).toBe(60);
    expect(await attempts.take([{ key: 'address', most: 3 }])).toBeUndefined();
  });
});

describe('tickets', () => {
  test('can be read until they are taken once, for five minutes and one purpose', async () => {
    const shared = server();
    const [ours, others] = [shared.tickets<{ id: number }>('sign-in'), server().tickets('passkey')];
    const ticket = await ours.give({ id: 7 });
    expect(await others.look(ticket)).toBeUndefined();
    expect(await others.take(ticket)).toBeUndefined();
    time += 5 * MINUTE - SECOND;
    expect(await server().tickets('sign-in').look(ticket)).toEqual({ id: 7 });
    expect(await ours.take(ticket)).toEqual({ id: 7 });
    expect([await ours.look(ticket), await ours.take(ticket)]).toEqual([undefined, undefined]);
    const late = await ours.give({ id: 8 });
    time += 5 * MINUTE;
    expect([await ours.look(late), await ours.take(late)]).toEqual([undefined, undefined]);
  });

  test('are stored only as hashes', async () => {
    const ticket = await server().tickets('sign-in').give({});
    const { rows } = await sql<{ name: string }>`SELECT name FROM tickets`.execute(db);
    expect(rows.map(({ name }) => name)).toEqual([createHash('sha256').update(`sign-in ${ticket}`).digest('hex')]);
  });
});

describe('presence on a record', () => {
  const at = (id: number, page: string, doing: 'looking' | 'typing' | 'left' = 'looking') =>
    ({ resource: 'generators', id, page, doing }) as const;

  test('lasts twenty seconds after the last heartbeat', async () => {
    const { presence } = server();
    await presence.beat(NADIA, at(7, 'a', 'typing'));
    time += 20 * SECOND;
    expect(await presence.beat(OMAR, at(7, 'b'))).toEqual([{ name: 'Nadia', isTyping: true }]);
    time += SECOND;
    expect(await presence.beat(OMAR, at(7, 'b'))).toEqual([]);
  });

  test('follows a page to another record, and excludes the user’s own', async () => {
    const { presence } = server();
    await presence.beat(NADIA, at(7, 'a'));
    expect(await presence.beat(NADIA, at(7, 'another tab'))).toEqual([]);
    await presence.beat(NADIA, at(7, 'another tab', 'left'));
    await presence.beat(NADIA, at(8, 'a'));
    expect(await presence.beat(OMAR, at(7, 'b'))).toEqual([]);
    expect(await presence.beat(OMAR, at(8, 'b'))).toEqual([{ name: 'Nadia', isTyping: false }]);
  });

  test('lists those who type first, then those silent longest; a page can only be left by its owner', async () => {
    const { presence } = server();
    const people = [3, 4, 5].map((id) => ({ id, name: `Person ${id}` }));
    for (const person of people) {
      await presence.beat(person, at(7, 'same page', person.id === 5 ? 'typing' : 'looking'));
      time += SECOND;
    }
    const names = async () => (await presence.beat(NADIA, at(7, 'a'))).map(({ name }) => name);
    expect(await names()).toEqual(['Person 5', 'Person 3', 'Person 4']);
    await presence.beat(OMAR, at(7, 'same page', 'left'));
    expect(await names()).toHaveLength(3);
    await presence.beat({ id: 3, name: 'Person 3' }, at(7, 'same page', 'left'));
    expect(await names()).toEqual(['Person 5', 'Person 4']);
  });

  test('counts a user with two tabs once, and keeps the newest of very many tabs', async () => {
    const { presence } = server();
    await presence.beat(NADIA, at(7, 'a', 'typing'));
    await presence.beat(NADIA, at(7, 'b'));
    expect(await presence.beat(OMAR, at(7, 'x'))).toEqual([{ name: 'Nadia', isTyping: true }]);
    for (let page = 0; page < 25; page += 1) {
      time += 100;
      await presence.beat(NADIA, at(9, `tab ${page}`));
    }
    expect(await presence.beat(OMAR, at(7, 'x'))).toEqual([]);
    expect(await count('open_pages')).toBe(21);
  });
});

describe('live seats', () => {
  test('are free again when released, and a minute after a server’s last heartbeat', async () => {
    const { seats } = server();
    const [first, second] = [await seats.take(1, 2), await seats.take(1, 2)];
    expect([first, second]).not.toContain(undefined);
    expect(await seats.take(1, 2)).toBeUndefined();
    expect(await seats.take(2, 2)).toBeDefined();
    second?.free();
    await soon(async () => expect(await count('live_seats')).toBe(2));
    expect(await seats.take(1, 2)).toBeDefined();
    time += MINUTE;
    expect(await seats.take(1, 2)).toBeDefined();
  });

  test('are renewed by their server, except released and refused ones', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { shared, close } = sharedAmong(db, { randomBytes, now });
    const kept = await shared.seats.take(1, 2);
    const given = await shared.seats.take(1, 2);
    await shared.seats.take(1, 2);
    given?.free();
    await soon(async () => expect(await count('live_seats')).toBe(1));
    time += 40 * SECOND;
    vi.advanceTimersByTime(20 * SECOND);
    const until = async () => {
      const { rows } = await sql<{ until: Date }>`SELECT until FROM live_seats`.execute(db);
      return rows.map((row) => row.until.getTime() - time);
    };
    await soon(async () => expect(await until()).toEqual([MINUTE]));
    close();
    time += 30 * SECOND;
    vi.advanceTimersByTime(MINUTE);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await until()).toEqual([30 * SECOND]);
    expect(kept).toBeDefined();
  });

  test('are not taken by a connection that failed because the database was away', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { seats } = server();
    await sql`ALTER TABLE live_seats RENAME TO away`.execute(db);
    await expect(seats.take(1, 2)).rejects.toThrow('live_seats');
    await sql`ALTER TABLE away RENAME TO live_seats`.execute(db);
    const other = await server().seats.take(2, 2);
    vi.advanceTimersByTime(20 * SECOND);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await count('live_seats')).toBe(1);
    expect(other).toBeDefined();
  });
});

describe('keys that wait in a batch', () => {
  test('belong to one user and one batch', async () => {
    const [one, other] = [server().waiting, server().waiting];
    const first = await one.add(1, ['a', 'b', 'b']);
    expect([...first.elsewhere]).toEqual([]);
    expect([await other.has(1, 'a'), await other.has(2, 'a'), await other.has(1, 'c')]).toEqual([true, false, false]);
    const second = await other.add(1, ['b', 'c']);
    expect([...second.elsewhere]).toEqual(['b']);
    expect([...(await other.add(2, ['b'])).elsewhere]).toEqual([]);
    await second.done('b');
    await first.confirm('b');
    await second.end();
    expect([await one.has(1, 'b'), await one.has(1, 'c')]).toEqual([true, false]);
    await first.end();
    expect(await one.has(1, 'a')).toBe(false);
  });

  test('expire with their server, and are no longer executed once reported as free', async () => {
    const { waiting } = server();
    const batch = await waiting.add(1, ['a', 'b']);
    time += 30 * SECOND;
    expect([...(await waiting.add(1, ['b'])).elsewhere]).toEqual([]);
    await batch.confirm('a');
    expect(await waiting.has(1, 'a')).toBe(false);
    await expect(batch.confirm('a')).rejects.toMatchObject({ status: 409 });
    await batch.end();
  });

  test('are found by every later one of several simultaneous batches', async () => {
    const { waiting } = server();
    for (let round = 0; round < 10; round += 1) {
      const all = await Promise.all([0, 1, 2, 3].map(() => waiting.add(1, [`key ${round}`])));
      expect(all.map(({ elsewhere }) => elsewhere.size).toSorted()).toEqual([0, 1, 1, 1]);
      for (const batch of all) await batch.end();
    }
  });

  test('are renewed while their batch is at work', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const batch = await server().waiting.add(1, ['a']);
    const left = async () => {
      const { rows } = await sql<{ until: Date }>`SELECT until FROM waiting_keys`.execute(db);
      return rows.map(({ until }) => until.getTime() - time);
    };
    time += 20 * SECOND;
    vi.advanceTimersByTime(10 * SECOND);
    await soon(async () => expect(await left()).toEqual([30 * SECOND]));
    await batch.end();
    expect(vi.getTimerCount()).toBe(2);
  });
});

describe('expired rows', () => {
  test('are removed, and nothing else', async () => {
    const { tickets, attempts } = server();
    await tickets('sign-in').give({});
    time += 2 * MINUTE;
    await attempts.take([{ key: 'nadia', most: 5 }]);
    await sweepShared(db, clock);
    expect([await count('tickets'), await count('tries')]).toEqual([1, 1]);
    time += MINUTE;
    await sweepShared(db, clock);
    expect([await count('tickets'), await count('tries')]).toEqual([1, 0]);
    time += 2 * MINUTE;
    await sweepShared(db, clock);
    expect(await count('tickets')).toBe(0);
  });

  test('are removed once a minute until the server closes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { shared, close } = sharedAmong(db, { randomBytes, now });
    await shared.tickets('sign-in').give({});
    time += 6 * MINUTE;
    vi.advanceTimersByTime(MINUTE);
    await soon(async () => expect(await count('tickets')).toBe(0));
    close();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('are joined by those that expire first when there are more than fifty thousand', async () => {
    await sql`INSERT INTO tickets (name, kept, until)
      SELECT n::text, '{}', ${clock()} + make_interval(secs => 60 + n) FROM generate_series(1, 50003) AS n`.execute(db);
    await sweepShared(db, clock);
    const { rows } = await sql<{ least: number; count: number }>`
      SELECT min(name::int) AS least, count(*)::int AS count FROM tickets`.execute(db);
    expect(rows).toEqual([{ least: 4, count: 50_000 }]);
  });
});

describe('uploads', () => {
  /** Uploads of a database, and a folder for files. */
  async function opened() {
    const folder = await freshFolder();
    const disk = realDisk;
    return { folder, disk, uploads: server().uploadsIn({ disk } as never) };
  }
  const upload = (bytes: string, more: Partial<Upload> = {}): Upload => ({
    userId: 1,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    length: bytes.length,
    state: 'part',
    ...more,
  });

  test('continue from their offset, with the newest sender only', async () => {
    const { uploads } = await opened();
    const one = upload('hello world');
    await uploads.begin(one);
    await expect(uploads.open(one, 3)).rejects.toMatchObject({ status: 409 });
    const older = await uploads.open(one, 0);
    await older.write(Buffer.from('hello'));
    await older.flush?.();
    expect(await uploads.sizeOf(one)).toBe(5);
    const newer = await uploads.open(one, 5);
    await older.write(Buffer.from(' there'));
    await newer.write(Buffer.from(' world'));
    await newer.flush?.();
    await expect(older.flush?.()).rejects.toMatchObject({ status: 409, headers: { 'Upload-Offset': '11' } });
    expect(await uploads.isRight(one)).toBe(true);
    const settled = await uploads.become(one, 'whole');
    expect([settled.state, (await uploads.find(1, one.sha256))?.state]).toEqual(['whole', 'whole']);
  });

  test('of one file by two users proceed side by side', async () => {
    const { uploads } = await opened();
    const [one, other] = [upload('hello'), upload('hello', { userId: 2 })];
    for (const begun of [one, other]) await uploads.begin(begun);
    const senders = [await uploads.open(one, 0), await uploads.open(other, 0)];
    for (const sender of senders) {
      await sender.write(Buffer.from('hello'));
      await sender.flush?.();
    }
    await uploads.remove(other);
    expect([await uploads.isRight(one), await uploads.find(2, other.sha256)]).toEqual([true, undefined]);
  });

  test('accept nothing more from an earlier sender once settled', async () => {
    const { uploads } = await opened();
    const one = upload('hello');
    await uploads.begin(one);
    const sender = await uploads.open(one, 0);
    await uploads.settle(one);
    await sender.write(Buffer.from('hello'));
    await expect(sender.flush?.()).rejects.toMatchObject({ status: 409 });
    expect(await uploads.sizeOf(one)).toBe(0);
  });

  test('are stored within a second, even when little arrives, and then no longer count as idle', async () => {
    const { uploads } = await opened();
    // the length of time, whatever the time of day becomes
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const one = upload('hello');
    await uploads.begin(one);
    time += 90 * SECOND;
    const sender = await uploads.open(one, 0);
    await sender.write(Buffer.from('he'));
    expect(await uploads.sizeOf(one)).toBe(0);
    vi.advanceTimersByTime(SECOND);
    await sender.write(Buffer.from('l'));
    expect(await uploads.sizeOf(one)).toBe(3);
    expect((await uploads.of(1)).map(({ restsFor }) => restsFor)).toEqual([0]);
  });

  test('report how long each is idle, and are removed after too long, for all users', async () => {
    const { uploads } = await opened();
    const [one, other] = [upload('one'), upload('other', { userId: 2 })];
    await uploads.begin(one);
    await uploads.begin(other);
    time += 90 * SECOND;
    expect((await uploads.of(1)).map(({ restsFor }) => restsFor)).toEqual([90 * SECOND]);
    await uploads.touch(one);
    expect((await uploads.of(1)).map(({ restsFor }) => restsFor)).toEqual([0]);
    expect((await uploads.of(2)).map(({ restsFor }) => restsFor)).toEqual([90 * SECOND]);
    await uploads.removeResting(90 * SECOND);
    expect((await uploads.of(2)).length).toBe(1);
    time += 1;
    await uploads.removeResting(90 * SECOND);
    expect([(await uploads.of(1)).length, (await uploads.of(2)).length]).toEqual([1, 0]);
  });

  test('are copied whole, and a damaged one is forgotten together with the copy', async () => {
    const { uploads, folder } = await opened();
    const text = 'x'.repeat(700_000);
    const good = upload(text);
    await uploads.begin(good);
    const sender = await uploads.open(good, 0);
    await sender.write(Buffer.from(text));
    await sender.flush?.();
    const path = join(folder, 'good');
    expect(await uploads.copy(good, path)).toBe(true);
    expect(await readFile(path, 'utf8')).toBe(text);
    await sql`UPDATE staged_pieces SET bytes = 'y' WHERE at = 0`.execute(db);
    expect(await uploads.isRight(good)).toBe(false);
    expect(await uploads.copy(good, join(folder, 'bad'))).toBe(false);
    await expect(readFile(join(folder, 'bad'))).rejects.toThrow('ENOENT');
    expect(await uploads.find(1, good.sha256)).toBeUndefined();
  });

  test('attached to a change count as used, and one still being sent is left to its sender', async () => {
    const { uploads, folder } = await opened();
    const file = async (bytes: string, more: Partial<Upload> = {}) => {
      const path = join(folder, bytes);
      await writeFile(path, bytes);
      return { ...upload(bytes, more), path };
    };
    const [fresh, begun] = [await file('fresh'), await file('begun')];
    await uploads.begin(begun);
    const sender = await uploads.open(begun, 0);
    await sender.write(Buffer.from('be'));
    await sender.flush?.();
    await uploads.takeFiles?.([fresh, begun], async () => {
      expect(await count('staged_uploads')).toBe(2);
    });
    expect(await uploads.find(1, fresh.sha256)).toMatchObject({ state: 'used', length: 5 });
    expect(await uploads.isRight(fresh)).toBe(true);
    expect([(await uploads.find(1, begun.sha256))?.state, await uploads.sizeOf(begun)]).toEqual(['part', 2]);
  });

  test('with wrong bytes or without space leave nothing, and keep what was there', async () => {
    const { uploads, folder } = await opened();
    const path = join(folder, 'file');
    await writeFile(path, 'other bytes');
    const [begun, wrong] = [upload('begun'), { ...upload('expected'), path }];
    await uploads.begin(begun);
    const sender = await uploads.open(begun, 0);
    await sender.write(Buffer.from('be'));
    await sender.flush?.();
    await expect(uploads.takeFiles?.([wrong], async () => {})).rejects.toMatchObject({ status: 460 });
    const full = () => Promise.reject(new Error('full'));
    await expect(uploads.takeFiles?.([wrong, { ...begun, path }], full)).rejects.toThrow('full');
    expect((await uploads.of(1)).map(({ sha256 }) => sha256)).toEqual([begun.sha256]);
  });
});

test('releases a change when it ends, renews it until then, and frees it once its server is silent', async () => {
  const engine = await openPostgresEngine(await untouchedDatabase('at_work'), { now });
  onTestFinished(() => engine.close());
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { running } = engine;
  const key = { userId: 1, key: 'key-1' };
  const timers = vi.getTimerCount();
  const end = Promise.withResolvers<undefined>();
  const begun = Promise.withResolvers<undefined>();
  const work = running.alone(key, async (keep) => {
    begun.resolve(undefined);
    await end.promise;
    await engine.db.transaction().execute((writing) => keep(writing));
  });
  await begun.promise;
  await expect(running.requireFree(key)).rejects.toMatchObject({ status: 409 });
  await expect(running.alone(key, async () => {})).rejects.toMatchObject({ status: 409 });
  await running.requireFree({ userId: 2, key: 'key-1' });
  time += 20 * SECOND;
  vi.advanceTimersByTime(10 * SECOND);
  await soon(async () => {
    const { rows } = await sql<{ until: Date }>`SELECT until FROM changes_at_work`.execute(engine.db);
    expect(rows.map(({ until }) => until.getTime() - time)).toEqual([30 * SECOND]);
  });
  time += 20 * SECOND;
  await expect(running.requireFree(key)).rejects.toMatchObject({ status: 409 });
  time += 10 * SECOND;
  await running.requireFree(key);
  end.resolve(undefined);
  // reported as not in flight: it does not take effect any more
  await expect(work).rejects.toMatchObject({ status: 409 });
  expect(vi.getTimerCount()).toBe(timers);
  let committed = false;
  await running.alone(key, async (keep) => {
    await engine.db.transaction().execute((writing) => keep(writing));
    committed = true;
  });
  expect(committed).toBe(true);
  await running.requireFree(key);
});
