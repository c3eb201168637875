import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { openPostgres } from '../../../server/stores/postgres/open.ts';
import { expect, test } from 'vitest';
import { partners } from '../../../src/domain/resources/partners.ts';
import { asAdministrator, shareDatabase, untouchedDatabase } from '../on-postgres.ts';
import { create, page, readOn } from '../feed-client.ts';
import { type Client, formOf, freshFolder, startServer, withKey } from '../harness.ts';
import { filesFor, valuesFor } from '../samples.ts';
import { twoServers } from './two-servers.ts';

const partnerForm = async (mark: string) => formOf(valuesFor(partners.fields, mark), await filesFor(partners));
const names = async (client: Client) =>
  (await client.get(partners.endpoints.list)).json().map((row: { name: string }) => row.name);

test('shares sessions between servers, and lists a new record on the other at once', async () => {
  const { here, there } = await twoServers();
  expect(await names(there)).toEqual([]);
  await create(here, partners, 'one');
  expect(await names(there)).toEqual(['Name one']);
});

test('creates the tables once when servers start together on an untouched database', async () => {
  const address = await untouchedDatabase();
  const opened = await Promise.all([openPostgres(address), openPostgres(address), openPostgres(address)]);
  const [db] = opened;
  expect(await db?.selectFrom('site_meta').select('id').execute()).toEqual([{ id: 1 }]);
  await Promise.all(opened.map((one) => one.destroy()));
});

test('creates one first administrator when servers start together, and shares their secrets', async () => {
  const [one, other] = [await freshFolder(), await freshFolder()];
  shareDatabase(one, other);
  const servers = await Promise.all([startServer({ DATA_DIR: one }), startServer({ DATA_DIR: other })]);
  const [first, second] = servers.map(({ app }) => app.services);
  expect(await first?.db.selectFrom('users').select('id').execute()).toHaveLength(1);
  const secretsOf = (services = first) => services?.db.selectFrom('secrets').selectAll().orderBy('name').execute();
  expect(await secretsOf(first)).toEqual(await secretsOf(second));
});

test('applies a change once that arrives at both servers simultaneously', async () => {
  const { here, there } = await twoServers();
  const key = withKey();
  const form = await partnerForm('one');
  const answers = await Promise.all(
    [here, there, here, there].map((client) => client.post(partners.endpoints.create, form, key)),
  );
  for (const { statusCode } of answers) expect([200, 409]).toContain(statusCode);
  expect(answers.some(({ statusCode }) => statusCode === 200)).toBe(true);
  expect(await names(here)).toEqual(['Name one']);
  const again = await there.post(partners.endpoints.create, form, key);
  expect([again.statusCode, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
});

test('notifies the devices of the other server of a change', async () => {
  const { other, here } = await twoServers();
  let rang = 0;
  other.app.services.bell.watch(() => (rang += 1));
  await create(here, partners, 'one');
  const before = rang;
  await create(here, partners, 'two');
  await expect.poll(() => rang).toBeGreaterThan(before);
});

test('misses nothing that both servers write simultaneously when reading on from a cursor', async () => {
  const { here, there } = await twoServers();
  const made = Promise.all(
    Array.from({ length: 12 }, (_, index) => create(index % 2 === 0 ? here : there, partners, `${index}`)),
  );
  const done = new AbortController();
  void made.finally(() => done.abort());
  const seen = new Set<number>();
  let cursor: string | undefined;
  do {
    const told = await page(here, cursor);
    for (const { id } of told.changed.partners ?? []) seen.add(id);
    cursor = told.cursor;
  } while (!done.signal.aborted);
  const ids = await made;
  for (const { changed } of await readOn(here, cursor)) for (const { id } of changed.partners ?? []) seen.add(id);
  expect([...seen].toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
});

test('does not commit a stalled server’s change after it was reported as not in flight', async () => {
  const { one, other } = await twoServers();
  const key = { userId: 1, key: 'stalled' };
  const [here, there] = [one.app.services, other.app.services];
  const stalled = here.running.alone(key, async (confirm) => {
    await expect(there.running.requireFree(key)).rejects.toThrow('being carried out');
    await expect(there.running.alone(key, async () => undefined)).rejects.toThrow('being carried out');
    await sql`UPDATE changes_at_work SET until = now() - interval '1 second'`.execute(here.db);
    await there.running.requireFree(key);
    return here.db.transaction().execute(confirm);
  });
  await expect(stalled).rejects.toThrow('being carried out');
});

test('answers a change whose claim was lost during its execution as in flight, and stores nothing', async () => {
  const { one, other, here } = await twoServers();
  const [db, elsewhere] = [one.app.services.db, other.app.services];
  const key = withKey();
  const form = await partnerForm('late');
  // The lock holds the change up between its claim and its transaction.
  const answer = await elsewhere.db.transaction().execute(async (locking) => {
    await sql`LOCK TABLE idempotency_keys IN ACCESS EXCLUSIVE MODE`.execute(locking);
    const held = here.post(partners.endpoints.create, form, key);
    const claims = () => sql<{ user_id: number; key: string }>`SELECT user_id, key FROM changes_at_work`.execute(db);
    await expect.poll(async () => (await claims()).rows).toHaveLength(1);
    const [claim] = (await claims()).rows;
    await sql`UPDATE changes_at_work SET until = now() - interval '1 second'`.execute(db);
    await elsewhere.running.requireFree({ userId: Number(claim?.user_id), key: claim?.key ?? '' });
    return { held };
  });
  expect((await answer.held).statusCode).toBe(409);
  expect(await names(here)).toEqual([]);
  expect((await here.post(partners.endpoints.create, form, key)).statusCode).toBe(200);
  expect(await names(here)).toEqual(['Name late']);
});

test('loses and duplicates nothing when connections end at random moments', async () => {
  const { here, there } = await twoServers();
  let sent = 0;
  const kills: Promise<void>[] = [];
  /** Ends a third of the connections at every third request of the first thirty, while the others are under way. */
  const request = () => {
    sent += 1;
    if (sent > 30 || sent % 3 !== 0) return;
    const ended = `application_name = 'voltdesk' AND pid % 3 = ${(sent / 3) % 3}`;
    kills.push(asAdministrator(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${ended}`));
  };
  const marks = Array.from({ length: 12 }, (_, index) => `mark${index}`);
  const send = async (mark: string, index: number) => {
    const key = withKey();
    const form = await partnerForm(mark);
    for (let turn = index; ; turn += 1) {
      request();
      const { statusCode } = await (turn % 2 === 0 ? here : there).post(partners.endpoints.create, form, key);
      if (statusCode === 200) return statusCode;
      expect([409, 503]).toContain(statusCode);
      await pause(20);
    }
  };
  const answers = await Promise.all(marks.map(send));
  await Promise.all(kills);
  expect(answers).toHaveLength(marks.length);
  expect((await names(here)).toSorted()).toEqual(marks.map((mark) => `Name ${mark}`).toSorted());
});
