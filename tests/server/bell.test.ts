import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import type { Client } from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listen } from '../../server/stores/postgres/bell.ts';
import { CHANNEL } from '../../server/stores/postgres/feed-triggers.ts';
import { INSTALLATION } from '../../server/stores/postgres/share.ts';

/** What a connection asks first. */
const BEGINS = [`SELECT pg_try_advisory_lock_shared(${INSTALLATION}) AS taken`, `LISTEN ${CHANNEL}`];

/** A connection whose database is played by the test. */
class Connection extends EventEmitter {
  /** The content of the database is being replaced. */
  isReplaced = false;
  readonly asked: string[] = [];
  readonly ends = vi.fn();
  readonly #connecting: () => Promise<void>;

  constructor(connecting: () => Promise<void>) {
    super();
    this.#connecting = connecting;
  }

  connect(): Promise<void> {
    return this.#connecting();
  }

  async query(text: string): Promise<{ rows: object[] }> {
    this.asked.push(text);
    return { rows: text.startsWith('SELECT') ? [{ taken: !this.isReplaced }] : [] };
  }

  async end(): Promise<void> {
    this.ends();
    this.emit('end');
  }
}

/** A bell, the connections it opened, and how often it rang. */
function bellOf(connecting: () => Promise<void> = async () => undefined) {
  const opened: Connection[] = [];
  const bell = listen(() => {
    opened.push(new Connection(connecting));
    return opened.at(-1) as unknown as Client;
  });
  const rung = vi.fn();
  bell.watch(rung);
  return { bell, opened, rung };
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('rings as soon as it listens, and for every notification of the database', async () => {
  const { opened, rung } = bellOf();
  await pass(0);
  expect([opened.length, opened[0]?.asked, rung.mock.calls.length]).toEqual([1, BEGINS, 1]);
  opened[0]?.emit('notification');
  opened[0]?.emit('notification');
  expect(rung).toHaveBeenCalledTimes(3);
});

test('reconnects a second after a lost connection, and rings, because it may have missed something', async () => {
  const { opened, rung } = bellOf();
  await pass(0);
  opened[0]?.emit('error', new Error('The database was ended.'));
  opened[0]?.emit('end');
  await pass(999);
  expect(opened).toHaveLength(1);
  await pass(1);
  expect([opened.length, opened[1]?.asked, rung.mock.calls.length]).toEqual([2, BEGINS, 2]);
});

test('says that it was connected anew before it rings, because the database may be another one', async () => {
  const { bell, opened, rung } = bellOf();
  const heardBefore: number[] = [];
  bell.onReconnect(async () => void heardBefore.push(rung.mock.calls.length));
  await pass(0);
  opened[0]?.emit('end');
  await pass(1000);
  expect([heardBefore, rung.mock.calls.length]).toEqual([[1], 2]);
});

test('neither listens nor rings while the content of the database is being replaced, and tries again', async () => {
  const { opened, rung } = bellOf();
  Object.assign(opened[0] ?? {}, { isReplaced: true });
  await pass(999);
  expect([opened[0]?.asked, opened[0]?.ends.mock.calls.length, rung.mock.calls.length]).toEqual([[BEGINS[0]], 1, 0]);
  await pass(1);
  expect([opened[1]?.asked, rung.mock.calls.length]).toEqual([BEGINS, 1]);
});

test('tries again every second while the database cannot be reached, one connection at a time', async () => {
  let isThere = false;
  const { opened, rung } = bellOf(async () => {
    if (!isThere) throw new Error('The database is away.');
  });
  await pass(3500);
  expect([opened.length, rung.mock.calls.length]).toEqual([4, 0]);
  for (const connection of opened) expect(connection.ends).toHaveBeenCalledOnce();
  isThere = true;
  await pass(1000);
  expect([opened.length, rung.mock.calls.length]).toEqual([5, 1]);
  await pass(10_000);
  expect(opened).toHaveLength(5);
});

test('opens no second connection while a failed one is still closing', async () => {
  let isBusy = true;
  const { bell, opened } = bellOf(async () => {
    if (isBusy) throw new Error('The database is busy.');
  });
  const slow = opened[0];
  Object.assign(slow ?? {}, { end: async () => void setTimeout(() => slow?.emit('end'), 1500) });
  await pass(0);
  isBusy = false;
  await pass(10_000);
  await bell.close();
  expect(opened.map(({ ends }) => ends.mock.calls.length)).toEqual([0, 1]);
});

test('closes its connection and opens no other once closed', async () => {
  const { bell, opened } = bellOf();
  await pass(0);
  await bell.close();
  await pass(10_000);
  expect([opened.length, opened[0]?.ends.mock.calls.length]).toEqual([1, 1]);
});

test('stops reconnecting once closed', async () => {
  const { bell, opened } = bellOf(() => Promise.reject(new Error('The database is away.')));
  await pass(500);
  const closing = bell.close();
  await pass(10_000);
  await closing;
  expect(opened).toHaveLength(1);
});

test('closes although the database never confirms the end of the connection', async () => {
  vi.useRealTimers();
  const { bell, opened } = bellOf();
  await turn();
  Object.assign(opened[0] ?? {}, { end: () => new Promise(() => undefined) });
  await expect(bell.close()).resolves.toBeUndefined();
});
