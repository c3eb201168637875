import { describe, expect, test } from 'vitest';
import { requestOf } from '../../src/domain/protocol/requests.ts';
import type { Change, FileReference, OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { confirm, plainFollower, receiptOf, repairsOf } from '../../src/offline/outbox/confirm.ts';
import { prepareRequest, prepareRequestAhead, send } from '../../src/offline/sender/send.ts';
import { settleDelete } from '../../src/offline/sender/settle-delete.ts';
import { underFence } from '../../src/offline/sender/sender.ts';
import { sha256 } from '../../src/offline/storage/files.ts';
import type { Environment } from '../../src/offline/storage/environment.ts';
import {
  creating,
  deleting,
  editing,
  entryOf,
  fileOf,
  type MoreFacts,
  NOW,
  partner,
} from '../domain/outbox/samples.ts';
import { KEYED, onItsWay, senderAtWork } from './support/at-work.ts';
import { json } from './support/offline-world.ts';

const edit = (version?: string) => editing('5', partner('A'), partner('B'), version);

/** A stored file of this many bytes. */
async function stored({ outbox }: Environment, id: string, size: number, field = 'image'): Promise<FileReference> {
  const bytes = new Uint8Array(size).fill(7).buffer;
  const file = { ...fileOf(id, field, size), sha256: await sha256(bytes) };
  await outbox.files.put({ ...file, entryId: '', bytes });
  return file;
}

describe('a request', () => {
  /** A change as it is sent, without the files that were staged. */
  async function sent(change: Change, ahead: readonly FileReference[] = []) {
    const { device, environment } = await senderAtWork(KEYED, {}, { cookie: async () => 'c' });
    const requests: Request[] = [];
    device.wire = async (request) => {
      requests.push(request.clone());
      return json(200, { message: 'Saved.' })();
    };
    for (const { id, size, field } of 'files' in change ? change.files : []) await stored(environment, id, size, field);
    const prepared = await prepareRequest(environment, requestOf(change), ahead);
    const answer = await send(environment, prepared, 'token', 'the-key');
    return { answer, prepared, request: requests[0] as Request };
  }

  test('carries the session, the key, the quoted version and the cookie', async () => {
    const { answer, prepared, request } = await sent(edit('7'));
    expect(answer).toMatchObject({ status: 200, body: { message: 'Saved.' } });
    expect(prepared.timeout).toBe(30_000);
    expect([request.method, new URL(request.url).pathname]).toEqual(['POST', '/api/get-single-partner/5']);
    expect(Object.fromEntries(request.headers)).toMatchObject({
      'idempotency-key': 'the-key',
      'if-match': '"7"',
      authorization: 'Bearer token',
      'x-xsrf-token': 'c',
      accept: 'application/json',
    });
    // following a redirect would turn a login page into a success, and a cached answer may be outdated
    expect([request.redirect, request.cache]).toEqual(['manual', 'no-store']);
    expect(Object.fromEntries(await request.formData())).toEqual(partner('B'));
  });

  test('has no version without a base, and no body for a deletion', async () => {
    expect((await sent(edit())).request.headers.has('if-match')).toBe(false);
    const { request } = await sent(deleting('5'));
    expect([await request.text(), request.headers.has('content-type')]).toEqual(['', false]);
  });

  test('carries files under their own names, and refers to staged ones with their places', async () => {
    const { environment } = await senderAtWork(KEYED);
    const [one, two] = [await stored(environment, 'one', 40), await stored(environment, 'two', 16_000)];
    const change = { ...creating(), files: [one, two] } as Change;
    const whole = await sent(change);
    expect(whole.prepared.timeout).toBe(30_000 + 1_003);
    const all = await whole.request.formData();
    expect(all.has('staged_files')).toBe(false);
    const files = [...all.values()].filter((value): value is File => typeof value !== 'string');
    expect(files.map(({ name, size }) => [name, size])).toEqual([
      ['one.png', 40],
      ['two.png', 16_000],
    ]);
    const { prepared, request } = await sent(change, [one]);
    const form = await request.formData();
    expect([prepared.timeout, prepared.files[0]]).toEqual([31_000, undefined]);
    expect(JSON.parse(String(form.get('staged_files')))).toEqual([
      { field: 'image', sha256: one.sha256, name: 'one.png', type: 'image/png', place: 0 },
    ]);
  });

  test('carries a file even if another one of the same name was staged', async () => {
    const { environment } = await senderAtWork(KEYED);
    const [one, two] = [await stored(environment, 'one', 40), await stored(environment, 'two', 50)];
    const namesake = { ...two, name: one.name };
    const { prepared } = await sent({ ...creating(), files: [one, namesake] } as Change, [one]);
    expect(prepared.files.map((file) => file?.size)).toEqual([undefined, 50]);
  });

  test('prepared ahead leaves out staged files', async () => {
    const { environment } = await senderAtWork(KEYED);
    const [one, two] = [await stored(environment, 'one', 40), await stored(environment, 'two', 50)];
    const request = requestOf({ ...creating(), files: [one, two] } as Change);
    const { files } = await prepareRequestAhead(environment, request, [two]);
    expect(files.map((file) => file?.size)).toEqual([40, undefined]);
  });

  test('prepared ahead includes its cookie', async () => {
    const { environment } = await senderAtWork(KEYED, {}, { cookie: async () => 'ahead' });
    expect(await prepareRequestAhead(environment, requestOf(edit('7')), [])).toMatchObject({
      cookie: 'ahead',
      timeout: 30_000,
    });
    expect(await prepareRequest(environment, requestOf(edit('7')), [])).not.toHaveProperty('cookie');
  });
});

describe('a confirmation', () => {
  async function confirmed(entries: readonly OutboxEntry[], receipt = {}, follower?: Parameters<typeof confirm>[3]) {
    const { environment, sender } = await senderAtWork(KEYED);
    const { outbox } = environment;
    await outbox.entries.bulkPut([...entries]);
    const [first] = entries;
    if (first === undefined) throw new Error('One is confirmed.');
    await underFence(sender, () => confirm(environment, first, { at: NOW, message: 'Saved.', ...receipt }, follower));
    return { outbox, environment, all: await outbox.entries.toArray() };
  }

  test('is followed by later changes of the record, and by nothing else', async () => {
    const first = onItsWay(creating());
    const later = entryOf(editing('local-1', partner('Acme'), partner('B')));
    const early = entryOf(editing('local-1', partner('Acme'), partner('C')), { sequence: 0.5 });
    const other = entryOf(editing('local-2', partner('Acme'), partner('D')));
    const { outbox, all } = await confirmed([first, later, early, other], { serverId: 9, version: 'v' });
    expect(all).toEqual([
      early,
      expect.objectContaining({
        id: first.id,
        state: 'done',
        receipt: { at: NOW, message: 'Saved.', serverId: 9, version: 'v' },
      }),
      expect.objectContaining({
        change: expect.objectContaining({
          recordId: '9',
          base: expect.objectContaining({ version: 'v' }) as unknown,
        }) as unknown,
      }),
      other,
    ]);
    expect(await outbox.identities.toArray()).toEqual([{ resource: 'partners', localId: 'local-1', serverId: 9 }]);
  });

  test('without an id, or of an edit, stores no identity', async () => {
    expect(await (await confirmed([onItsWay(creating())])).outbox.identities.count()).toBe(0);
    expect(await (await confirmed([onItsWay(edit())], { serverId: 5 })).outbox.identities.count()).toBe(0);
  });

  test('inserts the remaining files right after it, in order, before later changes', async () => {
    const [kept, gone] = [fileOf('kept'), fileOf('gone')];
    const change: Change = {
      op: 'create',
      resource: 'generators',
      recordId: 'local-1',
      values: {},
      files: [gone, kept],
    };
    const [first, later] = [
      onItsWay(change, { sequence: 7 }),
      entryOf(editing('9', partner('A'), partner('B')), { sequence: 8 }),
    ];
    const { environment, sender } = await senderAtWork(KEYED);
    const { outbox } = environment;
    await outbox.entries.bulkPut([first, later]);
    for (const { id, name, type, size, sha256: hash } of [kept, gone])
      await outbox.files.put({ id, name, type, size, sha256: hash, entryId: '', bytes: new ArrayBuffer(0) });
    const follower = (values: Record<string, string>) =>
      ({
        change: {
          op: 'update',
          resource: 'generators',
          recordId: 'local-1',
          values,
          files: [kept],
          base: { values: {}, imageIds: [] },
        },
        delivery: ['attempt'],
      }) as const;
    const receipt = { at: NOW, message: '', serverId: 9 };
    for (const title of ['one', 'two'])
      await underFence(sender, () => confirm(environment, first, receipt, follower({ title })));
    const all = await outbox.entries.toArray();
    expect(all.map(({ sequence }) => sequence)).toEqual([7, 7.5, 7.75, 8]);
    expect(all.map(({ change: { op } }) => op)).toEqual(['create', 'update', 'update', 'update']);
    expect(all[1]).toMatchObject({
      state: 'pending',
      attempts: 0,
      delivery: ['attempt'],
      change: { recordId: '9', values: { title: 'one' } },
    });
    expect(await outbox.files.toCollection().primaryKeys()).toEqual(['kept']);
  });

  test('contains only known facts', () => {
    expect(receiptOf({ kind: 'done', message: 'Saved.' }, 5)).toEqual({ at: 5, message: 'Saved.' });
    const all = { message: '', serverId: 1, version: '2', duplicates: [3] };
    expect(receiptOf({ kind: 'done', ...all }, 5)).toEqual({ at: 5, ...all });
  });

  test('of a repaired create is followed by the repair, which may be delivered unless it was accepted', () => {
    const earlier = creating('local-1', partner('Before'));
    const entry = (more: MoreFacts) => entryOf(creating(), { earlier, ...more }) as Parameters<typeof repairsOf>[0];
    expect(repairsOf(entry({}), [])).toMatchObject({
      op: 'update',
      values: partner('Acme'),
      base: { values: partner('Before') },
    });
    expect(repairsOf(entry({ earlier: undefined }), [])).toHaveProperty('base.values', {});
    const repaired = entry({ delivery: ['earlier-payload'] });
    expect(plainFollower(repaired)).toMatchObject({
      delivery: ['attempt'],
      change: { base: { values: partner('Before') } },
    });
    expect(plainFollower({ ...repaired, acceptedMessage: 'Made.' })).toBeUndefined();
    expect(plainFollower(entry({ delivery: ['attempt'] }))).toBeUndefined();
  });

  test('of a create with many files is followed by the rest, which may be delivered if it was exported', () => {
    const files = Array.from({ length: 25 }, (_, index) => fileOf(`photo-${index}`));
    const change = { ...creating('local-1'), resource: 'generators', files } as Change;
    const create = (more: MoreFacts) => entryOf(change, more) as Parameters<typeof plainFollower>[0];
    const rest = { change: { op: 'update', files: files.slice(20) } };
    expect(plainFollower(create({}))).toMatchObject({ ...rest, delivery: [] });
    expect(plainFollower(create({ delivery: ['export'] }))).toMatchObject({ ...rest, delivery: ['attempt'] });
  });
});

describe('a deletion that is due', () => {
  async function settled(since: MoreFacts | undefined, neverSent: boolean, about: 'moot' | 'deletion' = 'moot') {
    const { environment, sender } = await senderAtWork(KEYED);
    const { outbox } = environment;
    const file = await stored(environment, 'one', 5);
    const moot = entryOf({ ...edit('7'), files: [file] });
    const deletion = entryOf({
      ...deleting('5'),
      base: { version: '8', values: partner('B'), imageIds: [] },
    } as Change);
    await outbox.entries.bulkPut([moot, deletion]);
    const changed = about === 'moot' ? moot : deletion;
    if (since === undefined) await outbox.entries.delete(changed.sequence);
    else await outbox.entries.update(changed.sequence, since);
    await settleDelete(sender, { do: 'settle', moot: [moot], deletion, neverSent });
    return { entries: await outbox.entries.toArray(), files: await outbox.files.count() };
  }

  test('drops unsent changes, and takes over their base', async () => {
    const { entries, files } = await settled({}, false);
    expect(entries).toMatchObject([
      { state: 'pending', attempts: 1, change: { op: 'delete', base: { values: partner('A') } } },
    ]);
    expect(files).toBe(0);
  });

  test('drops all of them with their files, and takes over the first base', async () => {
    const { environment, sender } = await senderAtWork(KEYED);
    const { outbox } = environment;
    const moot = [
      entryOf({ ...editing('5', partner('A'), partner('B'), '7'), files: [await stored(environment, 'one', 5)] }),
      entryOf({ ...editing('5', partner('B'), partner('C')), files: [await stored(environment, 'two', 6)] }),
    ];
    const base = { values: partner('C'), imageIds: [] };
    const deletion = entryOf({ ...deleting('5'), base } as Change);
    await outbox.entries.bulkPut([...moot, deletion]);
    await settleDelete(sender, { do: 'settle', moot, deletion, neverSent: false });
    expect(await outbox.entries.toArray()).toMatchObject([
      { change: { op: 'delete', base: { values: partner('A') } }, tookAlong: 2 },
    ]);
    expect(await outbox.files.count()).toBe(0);
  });

  test('is done at once when the record never reached the server', async () => {
    expect((await settled({}, true)).entries).toMatchObject([
      { state: 'done', receipt: { at: NOW, message: 'It was deleted before it was sent.' } },
    ]);
  });

  test.each<[string, MoreFacts | undefined, 'moot' | 'deletion']>([
    ['another save was merged', { idempotencyKey: 'other' }, 'moot'],
    ['a copy was exported', { delivery: ['export'] }, 'moot'],
    ['the change before it was discarded', undefined, 'moot'],
    ['it was undone', undefined, 'deletion'],
    ['a copy of it was exported', { delivery: ['export'] }, 'deletion'],
  ])('leaves everything as it is when %s meanwhile', async (_what, since, about) => {
    const { entries, files } = await settled(since, false, about);
    expect(entries).toHaveLength(since === undefined ? 1 : 2);
    expect(entries.map(({ state, attempts }) => [state, attempts])).toEqual(entries.map(() => ['pending', 0]));
    expect(files).toBe(1);
  });
});
