import { describe, expect, test } from 'vitest';
import type { Companion } from '../../src/domain/outbox/together.ts';
import type { Change, FileReference, OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { BATCH_TEXT } from '../../src/domain/protocol/batch.ts';
import type { Capabilities } from '../../src/domain/protocol/capabilities.ts';
import { seesNoCookie } from '../../src/offline/sender/anti-forgery.ts';
import { sendTogether, type UnderWay, untilAnswered } from '../../src/offline/sender/batch.ts';
import { wireSize } from '../../src/offline/sender/batch-body.ts';
import { pieceSize } from '../../src/offline/sender/link.ts';
import { sha256 } from '../../src/offline/storage/files.ts';
import { readMeta, writeMeta } from '../../src/offline/storage/meta.ts';
import type { Environment } from '../../src/offline/storage/environment.ts';
import { creating, editing, entryOf, fileOf, type MoreFacts, NOW, partner } from '../domain/outbox/samples.ts';
import { answering, type Answers, inDoubt, KEYED, senderAtWork } from './support/at-work.ts';
import { eachAnswered } from './support/batches.ts';
import { cut, json, page } from './support/offline-world.ts';

const KB = 1024;
const BATCH = 'POST /api/changes';
const LIMITS = { maxChanges: 3, maxBytes: 1024 * KB };
const TOGETHER: Capabilities = { ...KEYED, batches: LIMITS };

/** Ready changes, as they are stored. */
async function ready(environment: Environment, ...entries: readonly OutboxEntry[]): Promise<Companion[]> {
  await environment.outbox.entries.bulkPut([...entries]);
  return entries.map((entry) => ({ entry, change: entry.change }));
}

const creates = (count: number, more: MoreFacts = {}) =>
  Array.from({ length: count }, (_, place) => entryOf(creating(`local-${place}`), more));
const fresh = (): UnderWay => ({ batches: [], most: 1 });

/** A change with a stored file of this many bytes. */
async function withFile(environment: Environment, bytes: number, id: string): Promise<OutboxEntry> {
  const content = new Uint8Array(bytes).fill(id.length).buffer;
  const file: FileReference = { ...fileOf(id, 'image', bytes), sha256: await sha256(content) };
  const { name, type, size } = file;
  await environment.outbox.files.put({ id, entryId: '', name, type, size, sha256: file.sha256, bytes: content });
  return entryOf({ ...creating(`local-${id}`), files: [file] } as Change);
}

/** The keys of the changes in a batch. */
async function keysIn(request: Request): Promise<string[]> {
  const copy = request.clone();
  const isForm = copy.headers.get('content-type')?.startsWith('multipart/') === true;
  const text = isForm ? String((await copy.formData()).get(BATCH_TEXT)) : await copy.text();
  const told = JSON.parse(text) as { key: string }[] | { changes: { key: string }[] };
  return (Array.isArray(told) ? told : told.changes).map(({ key }) => key);
}

/** How many changes are sent in a batch. */
async function sent(count: number, server = TOGETHER, answers: Answers = { [BATCH]: json(200, {}) }) {
  const work = await senderAtWork(server, answers);
  const goes = await ready(work.environment, ...creates(count));
  const isSent = await sendTogether(work.sender, fresh(), () => goes);
  const begun = (await work.environment.outbox.entries.toArray()).filter(({ lastAttemptAt }) => lastAttemptAt === NOW);
  return { isSent, asked: work.asked.length, begun: begun.length };
}

describe('batches in flight', () => {
  const batch = (isAnswered: boolean) => Promise.resolve(isAnswered);

  test('may be two once one has brought all its answers', async () => {
    const way: UnderWay = { batches: [batch(true), batch(true), batch(true)], most: 1 };
    await untilAnswered(way, 1);
    expect([way.batches.length, way.most]).toEqual([1, 2]);
    await untilAnswered(way);
    expect(way.batches).toEqual([]);
  });

  test('are all awaited after one that was cut, and then limited to one again', async () => {
    const way: UnderWay = { batches: [batch(true), batch(false), batch(true), batch(false)], most: 2 };
    await untilAnswered(way, 2);
    expect([way.batches.length, way.most]).toEqual([0, 1]);
  });

  test('are left alone when there are no more than the limit', async () => {
    const way: UnderWay = { batches: [batch(false)], most: 2 };
    await untilAnswered(way, 1);
    expect([way.batches.length, way.most]).toEqual([1, 2]);
  });
});

describe('a batch', () => {
  test('is not sent to a server without batches, or for a single change', async () => {
    expect(await sent(2, KEYED)).toEqual({ isSent: false, asked: 0, begun: 0 });
    expect(await sent(1)).toEqual({ isSent: false, asked: 0, begun: 0 });
    expect(await sent(2)).toMatchObject({ isSent: true, begun: 2 });
  });

  test('holds as many changes as the server accepts', async () => {
    expect(await sent(5)).toMatchObject({ isSent: true, begun: 3 });
    const [size = 0] = creates(1).map((entry) => wireSize({ entry, change: entry.change }));
    const limited = (maxBytes: number) => sent(3, { ...KEYED, batches: { maxChanges: 9, maxBytes } });
    // longer keys and places take a few more bytes
    expect(await limited(3 * size + 60)).toMatchObject({ begun: 3 });
    expect(await limited(3 * size - 60)).toMatchObject({ begun: 2 });
  });

  test('may fill the server’s limit exactly', async () => {
    const { environment, sender } = await senderAtWork(TOGETHER, { [BATCH]: json(200, {}) });
    const goes = await ready(environment, ...creates(2));
    const maxBytes = goes.reduce((sum, companion) => sum + wireSize(companion), 0);
    const before = { ...TOGETHER, batches: { ...LIMITS, maxBytes: maxBytes - 1 } };
    expect(await sendTogether({ ...sender, server: before }, fresh(), () => goes)).toBe(false);
    const just = { ...TOGETHER, batches: { ...LIMITS, maxBytes } };
    expect(await sendTogether({ ...sender, server: just }, fresh(), () => goes)).toBe(true);
  });

  test('holds no more than the link carries, files included', async () => {
    const { environment, sender, asked } = await senderAtWork(TOGETHER, { [BATCH]: json(200, {}) });
    const goes = await ready(
      environment,
      await withFile(environment, 100 * KB, 'a'),
      await withFile(environment, 100 * KB, 'bb'),
      await withFile(environment, 100 * KB, 'ccc'),
    );
    await sendTogether(sender, fresh(), () => goes);
    const states = (await environment.outbox.entries.toArray()).map(({ lastAttemptAt }) => lastAttemptAt !== undefined);
    expect([pieceSize(environment), states, asked]).toEqual([256 * KB, [true, true, false], ['GET /api/user', BATCH]]);
  });

  test('carries each file under its hash, and has a time-out for its files', async () => {
    const { device, environment, sender } = await senderAtWork(TOGETHER);
    let form: FormData | undefined;
    device.wire = async (request) => {
      if (request.method === 'POST') form = await request.formData();
      return json(200, {})();
    };
    const goes = await ready(
      environment,
      await withFile(environment, 64 * KB, 'a'),
      await withFile(environment, 96 * KB, 'bb'),
    );
    await sendTogether(sender, fresh(), () => goes);
    const parts = [...(form ?? [])].filter((part): part is [string, File] => typeof part[1] !== 'string');
    const hashes = await Promise.all(parts.map(async ([, file]) => sha256(await file.arrayBuffer())));
    expect(parts.map(([name]) => name)).toEqual(hashes);
    expect(hashes).toHaveLength(2);
    const limits = (await environment.outbox.entries.toArray()).map(({ attemptEndsBy = 0 }) => attemptEndsBy - NOW);
    // 160 KB at the slowest speed, on top of the time-out of a change without files
    expect(limits).toEqual([60_000 + 10_240, 60_000 + 10_240]);
  });

  const edit = (more: Partial<Extract<Change, { op: 'update' }>> = {}) => ({
    ...editing('5', partner('A'), partner('B'), '1'),
    ...more,
  });

  test.each<[string, OutboxEntry]>([
    ['edits a record that was never created', entryOf(edit({ recordId: 'local-x' }))],
    ['has to be rebased on the server’s record', entryOf(edit({ base: { values: partner('A'), imageIds: [] } }))],
    ['follows a discarded one', entryOf(edit(), { discarded: [edit()] })],
    ['was made by an older form', entryOf(edit({ values: { name: 'B' } }))],
  ])('stops before a change that %s', async (_what, odd) => {
    const { environment, sender } = await senderAtWork(TOGETHER, { [BATCH]: json(200, {}) });
    const [first, second, last] = creates(3) as [OutboxEntry, OutboxEntry, OutboxEntry];
    const goes = await ready(environment, first, odd, last);
    expect(await sendTogether(sender, fresh(), () => goes)).toBe(false);
    const more = await ready(environment, first, second, odd, last);
    expect(await sendTogether(sender, fresh(), () => more)).toBe(true);
    const tried = (await environment.outbox.entries.toArray()).filter(({ lastAttemptAt }) => lastAttemptAt === NOW);
    expect(tried.map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  test('stops before a follower made by an older form, which is sent alone to fill in missing fields', async () => {
    const { environment, sender } = await senderAtWork(TOGETHER, { [BATCH]: json(200, {}) });
    const [first, second, older] = await ready(environment, ...creates(2), entryOf(edit()));
    if (!first || !second || !older) throw new Error('There are three.');
    const { entry } = older;
    const goes = [first, second, { entry, change: edit({ values: { name: 'B' } }), after: second.entry }];
    await sendTogether(sender, fresh(), () => goes);
    const tried = (await environment.outbox.entries.toArray()).map(({ lastAttemptAt }) => lastAttemptAt === NOW);
    expect(tried).toEqual([true, true, false]);
  });

  test('leaves out the followers of a change that is not included', async () => {
    const { environment, sender } = await senderAtWork(TOGETHER, { [BATCH]: json(200, {}) });
    const [absent, first, second, third] = await ready(environment, ...creates(4));
    if (!absent || !first || !second || !third) throw new Error('There are four.');
    const follows = [first, { ...second, change: edit(), after: absent.entry }, { ...third, after: second.entry }];
    const last = await ready(environment, ...creates(1));
    await sendTogether({ ...sender, server: { ...TOGETHER, batches: { ...LIMITS, maxChanges: 9 } } }, fresh(), () => [
      ...follows,
      ...last,
    ]);
    const tried = (await environment.outbox.entries.toArray()).map(({ lastAttemptAt }) => lastAttemptAt === NOW);
    expect(tried).toEqual([false, true, false, false, true]);
  });
});

describe('before a batch goes out', () => {
  test('a change whose bytes are lost needs the administrator, and the others are sent', async () => {
    const { environment, sender, asked } = await senderAtWork(TOGETHER, { [BATCH]: json(200, {}) });
    const lost = entryOf({ ...creating('local-lost'), files: [fileOf('lost', 'image')] } as Change);
    const goes = await ready(environment, lost, ...creates(2));
    expect(await sendTogether(sender, fresh(), () => goes)).toBe(true);
    const [first, ...others] = await environment.outbox.entries.toArray();
    expect(first).toMatchObject({ state: 'attention', attempts: 0, reason: { code: 'file-lost' } });
    expect(others.map(({ lastAttemptAt }) => lastAttemptAt)).toEqual([NOW, NOW]);
    expect(asked).toContain(BATCH);
  });

  test('a change edited meanwhile stays, and all stay when someone else has signed in', async () => {
    const { device, environment, sender } = await senderAtWork(TOGETHER, { [BATCH]: json(200, {}) });
    const goes = await ready(environment, ...creates(3));
    const [first] = goes;
    await environment.outbox.entries.update(first?.entry.sequence ?? 0, { idempotencyKey: 'another' });
    await sendTogether(sender, fresh(), () => goes);
    expect((await environment.outbox.entries.toArray()).map(({ lastAttemptAt }) => lastAttemptAt)).toEqual([
      undefined,
      NOW,
      NOW,
    ]);
    device.time += 5 * 60_000;
    await writeMeta(environment.outbox, 'session', { ...sender.session, token: 'newer' });
    await writeMeta(environment.outbox, 'lastAttempt', undefined);
    const more = await ready(environment, ...creates(2));
    expect(await sendTogether(sender, fresh(), () => more)).toBe(true);
    expect(await readMeta(environment.outbox, 'lastAttempt')).toBeUndefined();
  });

  test('a change edited meanwhile holds back its followers', async () => {
    const { environment, sender } = await senderAtWork(TOGETHER, { [BATCH]: json(200, {}) });
    const [first, second, third] = await ready(environment, ...creates(3));
    if (!first || !second || !third) throw new Error('There are three.');
    await environment.outbox.entries.update(first.entry.sequence, { idempotencyKey: 'another' });
    await sendTogether(sender, fresh(), () => [first, { ...second, after: first.entry }, third]);
    const tried = (await environment.outbox.entries.toArray()).map(({ lastAttemptAt }) => lastAttemptAt === NOW);
    expect(tried).toEqual([false, false, true]);
  });

  /** Two changes whose answers were lost, the first of them with a file, and a new one. */
  async function lostAnswers(told: (key: string) => () => Response) {
    const { device, environment, sender } = await senderAtWork(TOGETHER);
    const heavy = { ...(await withFile(environment, 10, 'heavy')), delivery: ['attempt'], attempts: 1 } as OutboxEntry;
    const key = heavy.idempotencyKey;
    const asked = answering(device, { 'GET /api/changes': told(key), [BATCH]: json(200, {}) });
    const { wire } = device;
    let went = 0;
    device.wire = async (request, pass) => {
      if (request.method === 'POST') went = (await keysIn(request)).length;
      return wire(request, pass);
    };
    const goes = await ready(environment, heavy, inDoubt(creating('local-light')), ...creates(1));
    const way = fresh();
    expect(await sendTogether(sender, way, () => goes)).toBe(true);
    await untilAnswered(way);
    expect(asked[0]).toBe(`GET /api/changes?keys=${key}`);
    return { asked, went, environment, entries: await environment.outbox.entries.toArray() };
  }

  test('changes with files whose answers were lost are looked up, and the results recorded', async () => {
    const done = { status: 200, body: { message: 'Made.', id: 9 } };
    const { went, entries } = await lostAnswers((key) => json(200, { answers: { [key]: done } }));
    expect(entries.map(({ state, lastAttemptAt }) => [state, lastAttemptAt])).toEqual([
      ['done', undefined],
      ['pending', NOW],
      ['pending', NOW],
    ]);
    expect(went).toBe(2);
  });

  test('a change that the server does not know is sent with the others', async () => {
    const { went, entries } = await lostAnswers(() => json(200, { answers: {} }));
    expect(went).toBe(3);
    expect(entries.map(({ state }) => state)).toEqual(['pending', 'pending', 'pending']);
  });

  test('a change that is being executed waits, and the others are sent', async () => {
    const { went, entries } = await lostAnswers((key) => json(200, { answers: { [key]: { status: 409 } } }));
    expect([went, entries[0]?.reason?.code]).toEqual([2, 'busy']);
  });

  test.each<[string, () => Response]>([
    ['no answer comes', cut],
    ['the answer is not understood', json(400, {})],
    ['a page comes', page()],
    ['the answer is empty', json(200, {})],
  ])('nothing is sent and the queue waits when %s', async (_what, told) => {
    const { asked, entries, environment } = await lostAnswers(() => told);
    expect(asked).toHaveLength(1);
    expect(entries.map(({ attempts }) => attempts)).toEqual([1, 1, 0]);
    for (const one of entries) expect([one.reason, one.notBefore]).toEqual([undefined, undefined]);
    expect(await readMeta(environment.outbox, 'pause')).toMatchObject({ cause: 'unreachable', failures: 1 });
  });
});

describe('after a batch', () => {
  test.each<[string, () => Response, number]>([
    ['without an answer', cut, 10_000],
    ['that failed', json(500, { message: 'Broken.' }), 300_000],
    ['that was not understood', json(400, { message: 'What?' }), 300_000],
  ])('%s, changes go one by one for a while', async (_what, answer, rest) => {
    const { device, environment, sender } = await senderAtWork(TOGETHER, { [BATCH]: answer });
    const way = fresh();
    const goes = async () => {
      const some = await ready(environment, ...creates(2));
      return sendTogether(sender, way, () => some);
    };
    expect(await goes()).toBe(true);
    await untilAnswered(way);
    device.time = NOW + rest - 1;
    expect(await goes()).toBe(false);
    device.time = NOW + rest;
    expect(await goes()).toBe(true);
  });

  test('with all its answers two may be in flight, and after a cut one only one', async () => {
    const { device, environment, sender } = await senderAtWork(TOGETHER);
    let isCut = false;
    device.wire = async (request) => {
      if (request.method === 'GET') return json(200, {})();
      const keys = await keysIn(request);
      return eachAnswered(keys.slice(isCut ? 1 : 0).map((key) => [key, 200] as const));
    };
    const way = fresh();
    const most = async () => {
      const goes = await ready(environment, ...creates(2));
      await sendTogether(sender, way, () => goes);
      await untilAnswered(way);
      return way.most;
    };
    expect(await most()).toBe(2);
    isCut = true;
    expect(await most()).toBe(1);
  });

  test('with a refused cookie a worker without another cookie needs a page', async () => {
    const worker = { handOver: () => {}, cookie: async () => 'old' };
    const { device, environment, sender } = await senderAtWork(TOGETHER, {}, worker);
    device.wire = async (request) => {
      if (request.method === 'GET') return json(200, {})();
      return eachAnswered((await keysIn(request)).map((key) => [key, 419] as const));
    };
    const goes = await ready(environment, ...creates(2));
    const way = fresh();
    expect(await seesNoCookie(environment, TOGETHER, 'token')).toBe(false);
    await sendTogether(sender, way, () => goes);
    await untilAnswered(way);
    expect(await seesNoCookie(environment, TOGETHER, 'token')).toBe(true);
  });

  test.each([
    ['small changes the next one is sent at once', 32 * KB - 1, true],
    ['large changes its answer is awaited', 32 * KB, false],
  ])('of %s', async (_what, bytes, isOverBefore) => {
    const { environment, sender, device } = await senderAtWork(TOGETHER);
    let isOver = false;
    let wasOver: boolean | undefined;
    device.wire = async ({ method }) => {
      if (method === 'GET') return json(200, {})();
      for (let turns = 0; turns < 50; turns += 1) await new Promise((resolve) => setImmediate(resolve));
      wasOver = isOver;
      return eachAnswered([]);
    };
    const way: UnderWay = { batches: [], most: 2 };
    const goes = await ready(
      environment,
      await withFile(environment, bytes, 'x'),
      await withFile(environment, bytes, 'yy'),
    );
    await sendTogether(sender, way, () => goes);
    isOver = true;
    await untilAnswered(way);
    expect(wasOver).toBe(isOverBefore);
  });
});
