import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { countAttempts, takeTry } from '../../server/shared/attempts.ts';
import { PresenceHere } from '../../server/shared/presence.ts';
import { seatsHere } from '../../server/shared/seats.ts';
import { ticketsHere } from '../../server/shared/tickets.ts';
import { waitingHere } from '../../server/shared/waiting-keys.ts';

/** The temporary state of an installation's only server, with a clock that the tests set. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
let time = Date.UTC(2026, 10, 23);
const now = () => time;

describe('tickets', () => {
  const tickets = () => ticketsHere<string>({ randomBytes, now });

  test('can be read until they are taken once', async () => {
    const kept = tickets();
    const [one, other] = [await kept.give('one'), await kept.give('other')];
    expect([one === other, one.length]).toEqual([false, 32]);
    expect([await kept.look(one), await kept.look(one), await kept.take(one)]).toEqual(['one', 'one', 'one']);
    expect([await kept.look(one), await kept.take(one), await kept.take('none')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await kept.take(other)).toBe('other');
  });

  test('expire after five minutes', async () => {
    const kept = tickets();
    const [one, other] = [await kept.give('one'), await kept.give('other')];
    time += 5 * MINUTE - 1;
    expect([await kept.look(one), await kept.take(one)]).toEqual(['one', 'one']);
    time += 1;
    expect([await kept.look(other), await kept.take(other)]).toEqual([undefined, undefined]);
  });

  test('replace the oldest ones when there are too many', async () => {
    const kept = tickets();
    const given: string[] = [];
    for (let count = 0; count <= 10_000; count += 1) given.push(await kept.give(`${count}`));
    const [first = '', second = ''] = given;
    expect([await kept.look(first), await kept.look(second), await kept.look(given.at(-1) ?? '')]).toEqual([
      undefined,
      '1',
      '10000',
    ]);
  });

  test('are removed once too old, and no others', async () => {
    const kept = tickets();
    await kept.give('old');
    time += 3 * MINUTE;
    const young = await kept.give('young');
    time += 3 * MINUTE;
    await kept.give('new');
    expect(await kept.look(young)).toBe('young');
  });
});

describe('live seats', () => {
  test('are limited per user, and free again when released', async () => {
    const seats = seatsHere();
    const [first, second] = [await seats.take(1, 2), await seats.take(1, 2)];
    expect([first, second]).not.toContain(undefined);
    expect([await seats.take(1, 2), (await seats.take(2, 1)) === undefined]).toEqual([undefined, false]);
    first?.free();
    expect(await seats.take(1, 2)).toBeDefined();
    expect(await seats.take(1, 2)).toBeUndefined();
    second?.free();
    expect(await seats.take(1, 2)).toBeDefined();
  });
});

describe('keys that wait in a batch', () => {
  test('belong to their user until they are done or their batch ends', async () => {
    const waiting = waitingHere();
    const batch = await waiting.add(1, ['a', 'b', 'b']);
    expect([...batch.elsewhere]).toEqual([]);
    const has = async (...keys: string[]) => Promise.all(keys.map((key) => waiting.has(1, key)));
    expect([await has('a', 'b', 'c'), await waiting.has(2, 'a')]).toEqual([[true, true, false], false]);
    await batch.confirm('a');
    await batch.done('b');
    expect(await has('a', 'b')).toEqual([true, false]);
    await batch.end();
    expect(await has('a')).toEqual([false]);
  });

  test('shared by two batches wait as long as either does, and the second batch is told of the first', async () => {
    const waiting = waitingHere();
    const first = await waiting.add(1, ['a', 'b']);
    const second = await waiting.add(1, ['b', 'c']);
    expect([...second.elsewhere]).toEqual(['b']);
    await first.done('b');
    await first.done('b');
    expect(await waiting.has(1, 'b')).toBe(true);
    await first.end();
    expect([await waiting.has(1, 'a'), await waiting.has(1, 'b')]).toEqual([false, true]);
    await second.end();
    expect([await waiting.has(1, 'b'), await waiting.has(1, 'c')]).toEqual([false, false]);
    expect([...(await waiting.add(1, ['b'])).elsewhere]).toEqual([]);
  });
});

describe('presence on a record', () => {
  const [NADIA, OMAR, ANNA] = ['Nadia', 'Omar', 'Anna'].map((name, index) => ({ id: index + 1, name })) as [
    Person,
    Person,
    Person,
  ];
  type Person = { readonly id: number; readonly name: string };
  const at = (id: number, page: string, doing: 'looking' | 'typing' | 'left' = 'looking') =>
    ({ resource: 'generators', id, page, doing }) as const;

  test('lasts twenty seconds after the last heartbeat, and not a moment longer', async () => {
    const presence = new PresenceHere(now);
    await presence.beat(NADIA, at(7, 'a'));
    time += 20 * SECOND;
    expect(await presence.beat(OMAR, at(7, 'b'))).toEqual([{ name: 'Nadia', isTyping: false }]);
    time += 1;
    expect(await presence.beat(OMAR, at(7, 'b'))).toEqual([]);
  });

  test('follows a page to another record; a page with the same name can only be left by its owner', async () => {
    const presence = new PresenceHere(now);
    await presence.beat(NADIA, at(7, 'same'));
    await presence.beat(NADIA, at(8, 'same'));
    expect(await presence.beat(OMAR, at(7, 'same'))).toEqual([]);
    await presence.beat(OMAR, at(8, 'same', 'left'));
    expect(await presence.beat(ANNA, at(8, 'x'))).toEqual([{ name: 'Nadia', isTyping: false }]);
  });

  test('lists those who type first, each person once, and without the user themselves', async () => {
    const presence = new PresenceHere(now);
    await presence.beat(NADIA, at(7, 'a'));
    await presence.beat(OMAR, at(7, 'b', 'typing'));
    await presence.beat(OMAR, at(7, 'c'));
    await presence.beat(ANNA, at(7, 'mine', 'typing'));
    expect(await presence.beat(ANNA, at(7, 'other'))).toEqual([
      { name: 'Omar', isTyping: true },
      { name: 'Nadia', isTyping: false },
    ]);
  });

  test('keeps the most recent pages of a user with very many', async () => {
    const presence = new PresenceHere(now);
    await presence.beat(OMAR, at(1, 'other'));
    await presence.beat(NADIA, at(1, 'a'));
    for (let page = 2; page <= 20; page += 1) await presence.beat(NADIA, at(page, `page ${page}`));
    // seen again: it stays, and the next is evicted
    await presence.beat(NADIA, at(1, 'a'));
    await presence.beat(NADIA, at(21, 'page 21'));
    const seen = (id: number) => presence.beat(ANNA, at(id, 'x'));
    expect([(await seen(1)).length, await seen(2), (await seen(3)).length]).toEqual([2, [], 1]);
  });
});

describe('attempts', () => {
  test('are refunded when they succeed, one under each key', async () => {
    const attempts = countAttempts(now);
    const limits = [
      { key: 'address', most: 3 },
      { key: 'nadia', most: 2 },
    ];
    await attempts.take(limits);
    await attempts.take(limits);
    expect(await attempts.take(limits)).toBe(60);
    await attempts.refund(limits);
    expect(await attempts.take(limits)).toBeUndefined();
    expect(await attempts.take([{ key: 'nadia', most: 2 }])).toBe(60);
    expect(await attempts.take([{ key: 'address', most: 3 }])).toBeUndefined();
    expect(await attempts.take([{ key: 'address', most: 3 }])).toBe(60);
  });

  test('leave the earlier ones unchanged when they succeed', async () => {
    const attempts = countAttempts(now);
    const limits = [{ key: 'nadia', most: 2 }];
    await attempts.take(limits);
    time += 20 * SECOND;
    await attempts.take(limits);
    await attempts.refund(limits);
    await attempts.take(limits);
    expect(await attempts.take(limits)).toBe(40);
  });

  test('count for a minute, up to the second in which the oldest expires', async () => {
    const attempts = countAttempts(now);
    const limits = [{ key: 'nadia', most: 2 }];
    await attempts.take(limits);
    time += 20 * SECOND;
    await attempts.take(limits);
    time += 10 * SECOND + 1;
    expect(await attempts.take(limits)).toBe(30);
    time += 30 * SECOND - 2;
    expect(await attempts.take(limits)).toBe(1);
    time += 1;
    expect(await attempts.take(limits)).toBeUndefined();
    expect(await attempts.take(limits)).toBe(20);
  });

  test('are refused with the waiting time when there are too many', async () => {
    const attempts = countAttempts(now);
    const limits = [{ key: 'nadia', most: 1 }];
    await takeTry(attempts, limits);
    time += 15 * SECOND;
    await expect(takeTry(attempts, limits)).rejects.toMatchObject({ status: 429, headers: { 'Retry-After': '45' } });
  });
});
