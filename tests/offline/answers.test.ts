import { describe, expect, test } from 'vitest';
import { linkReturned, retry, sendNow } from '../../src/offline/outbox/entry-commands.ts';
import { rememberSession } from '../../src/offline/storage/session.ts';
import { generatorDraft } from './support/drafts.ts';
import { cut, json, OfflineWorld } from './support/offline-world.ts';

test('a create is done even when its row is gone again and duplicates were reported', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('gone-again'));
  world.answerChanges(json(200, { message: 'Created.', duplicates: [7, 8] }));
  await world.drain();
  expect(await world.waiting()).toEqual([]);
  expect((await world.done())[0]?.receipt).toMatchObject({ message: 'Created.', duplicates: [7, 8] });
});

describe('a sign-in that has expired', () => {
  test('pauses the queue without counting the attempt, which resumes under the same key after the sign-in', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('again'));
    world.answerChanges(json(401, { message: 'Unauthenticated.' }));
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ state: 'pending', attempts: 0 }]);
    expect(world.sent).toHaveLength(1);
    await world.drain();
    expect(world.sent).toHaveLength(1);
    await world.device.signIn(world.page);
    world.sent.splice(1);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(world.sent[1]?.key).toBe(world.sent[0]?.key);
  });

  test('of an older session does not pause the queue of a newer one', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('meanwhile'));
    const other = await world.device.signIn(world.page);
    await rememberSession(
      { administrator: world.me.id, name: '', token: 'old', rememberAcrossRestarts: true },
      world.page,
    );
    world.onChanges(async (request, pass) => {
      if (request.headers.get('authorization') !== 'Bearer old') return pass(request);
      const session = { administrator: world.me.id, name: '', token: other.token, rememberAcrossRestarts: true };
      await rememberSession(session, world.page);
      return json(401, { message: 'Unauthenticated.' })();
    });
    await world.drain();
    expect(await world.waiting()).toEqual([]);
  });
});

describe('an expired anti-forgery cookie', () => {
  test('is renewed once, and the change repeated at once', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('cookie'));
    world.answerChanges(json(419, { message: 'CSRF token mismatch.' }));
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(world.sent.map(({ path }) => path)).toEqual(['/api/create-generator', '/api/create-generator']);
  });

  test('is renewed even if it was read while the previous change was being sent', async () => {
    const world = await OfflineWorld.begin();
    for (const mark of ['first', 'ahead']) await world.save(generatorDraft(`cookie-${mark}`));
    const expired = json(419, { message: 'CSRF token mismatch.' });
    world.onChanges(async (request, pass) => (world.sent.length === 2 ? expired() : pass(request)));
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(world.sent.map(({ fields }) => fields.get('brand'))).toEqual([
      'Brand cookie-first',
      'Brand cookie-ahead',
      'Brand cookie-ahead',
    ]);
  });

  test('that is missing is fetched before the files are sent', async () => {
    const world = await OfflineWorld.begin('contract-only');
    await world.save(generatorDraft('no-cookie'));
    world.device.cookies.clear();
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(world.sent).toHaveLength(1);
  });

  test('that cannot be renewed makes the queue wait, without counting the attempt', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('419'));
    const expired = json(419, { message: 'CSRF token mismatch.' });
    world.answerChanges(expired, expired);
    expect(await world.drain()).toHaveProperty('until');
    expect(await world.waiting()).toMatchObject([{ state: 'pending', attempts: 0, reason: { code: 'busy' } }]);
  });
});

describe('a busy server', () => {
  test('is left alone by the whole queue for as long as it asks', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('first'));
    await world.save(generatorDraft('second'));
    world.answerChanges(json(429, { message: 'Too Many Attempts.' }, { 'retry-after': '90' }));
    expect(await world.drain()).toEqual({ until: world.device.time + 90_000 });
    await linkReturned(world.page);
    expect(await world.drain()).toEqual({ until: world.device.time + 90_000 });
    world.device.pass(90_000);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
  });

  test('that names a date means its own clock, even when the tablet’s is days slow', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('slow-clock'));
    const there = world.device.time + 48 * 3_600_000;
    const told = (time: number) => new Date(time).toUTCString();
    world.answerChanges(json(503, { message: 'Busy.' }, { date: told(there), 'retry-after': told(there + 60_000) }));
    expect(await world.drain()).toEqual({ until: world.device.time + 60_000 });
  });

  test('is asked again at once when the administrator presses Send now', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('now'));
    world.answerChanges(json(503, { message: 'Busy.' }, { 'retry-after': '3600' }));
    await world.drain();
    await sendNow(world.page);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
  });
});

describe('one failing change', () => {
  test('waits by itself after a server error while others are sent', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('poison'));
    await world.save(generatorDraft('healthy'));
    world.answerChanges(json(500, { message: 'Server Error' }));
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ state: 'pending', serverErrors: { count: 1 } }]);
    expect(await world.done()).toHaveLength(1);
  });

  test('needs the administrator after ten server errors in half an hour, and continues when retried', async () => {
    const world = await OfflineWorld.begin();
    const { id } = await world.save(generatorDraft('ten'));
    world.onChanges(async () => json(500, { message: 'Server Error' })());
    for (let tries = 0; tries < 12; tries += 1) {
      await world.drain();
      world.device.pass(6 * 60_000);
    }
    expect(world.sent).toHaveLength(10);
    expect(await world.waiting()).toMatchObject([
      { state: 'attention', reason: { code: 'server-errors', status: 500 } },
    ]);
    world.goodLink();
    await retry(world.page, id);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(new Set(world.sent.map(({ key }) => key)).size).toBe(1);
  });

  test('keeps the server’s errors when refused, and holds back only its own record', async () => {
    const world = await OfflineWorld.begin();
    const draft = generatorDraft('refused');
    const bad = await world.save({ ...draft, values: { ...draft.values, capacity: '' } });
    const { recordId } = bad.change as { recordId: string };
    await world.save(generatorDraft('other'));
    await world.drain();
    await world.save({
      op: 'update',
      resource: 'generators',
      recordId,
      values: draft.values,
      files: [],
      base: { values: {}, imageIds: [] },
    });
    await world.drain();
    expect(await world.waiting()).toMatchObject([
      { state: 'attention', reason: { status: 422, errors: { capacity: ['The capacity field is required.'] } } },
      { state: 'pending', attempts: 0 },
    ]);
    expect(await world.done()).toHaveLength(1);
  });

  test('is there once when retried after a refusal, although its first request arrives late', async () => {
    const world = await OfflineWorld.begin();
    const { id } = await world.save(generatorDraft('late'));
    const late: (() => Promise<unknown>)[] = [];
    world.onChanges(async (request, pass) => {
      if (late.length > 0) return json(413, { message: '' })();
      late.push(() => pass(request));
      return cut();
    });
    await world.drain();
    world.device.pass(60_000);
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ state: 'attention' }]);
    await late[0]?.();
    world.goodLink();
    await retry(world.page, id);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(await world.generators('late')).toHaveLength(1);
  });
});

test('a change that is already in flight is repeated later under the same key', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('flight'));
  world.answerChanges(json(409, { message: 'In flight.', code: 'in-flight' }));
  expect(await world.drain()).toEqual({ until: world.device.time + 1_500 });
  world.device.pass(1_500);
  await world.drain();
  expect(await world.waiting()).toEqual([]);
  expect(new Set(world.sent.map(({ key }) => key)).size).toBe(1);
});

test('deleting a record that is gone counts as done', async () => {
  const world = await OfflineWorld.begin();
  await world.save({ op: 'delete', resource: 'generators', recordId: '4711' });
  await world.save({ op: 'delete-image', resource: 'generators', recordId: '4711', imageId: 99, image: 'x.png' });
  await world.drain();
  expect(await world.waiting()).toEqual([]);
});

test('editing a record that is gone needs the administrator', async () => {
  const world = await OfflineWorld.begin();
  const { values } = generatorDraft('gone');
  const base = { values, imageIds: [], version: '1' };
  await world.save({ op: 'update', resource: 'generators', recordId: '4711', values, files: [], base });
  await world.drain();
  expect(await world.waiting()).toMatchObject([{ state: 'attention', reason: { code: 'gone' } }]);
});

test('a clock that jumps back two days neither loses nor stops anything', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('jump'));
  world.onChanges(async () => json(500, { message: 'Server Error' })());
  await world.drain();
  world.goodLink();
  world.device.time -= 48 * 3_600_000;
  await world.linkReturns();
  expect(await world.waiting()).toEqual([]);
});

test.each(['own', 'contract-only'] as const)(
  'every request to a server of kind %s asks for JSON, bypasses caches and follows no redirects',
  async (kind) => {
    const world = await OfflineWorld.begin(kind);
    await world.save(generatorDraft('asked-like-this'));
    const asked: unknown[] = [];
    const { wire } = world.device;
    world.device.wire = (request, pass) => {
      const { headers, redirect, cache, credentials } = request;
      asked.push([headers.get('accept'), headers.get('x-requested-with'), redirect, cache, credentials]);
      return wire(request, pass);
    };
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(asked.length).toBeGreaterThan(1);
    expect(new Set(asked.map((one) => JSON.stringify(one)))).toEqual(
      new Set([JSON.stringify(['application/json', 'XMLHttpRequest', 'manual', 'no-store', 'same-origin'])]),
    );
  },
);
