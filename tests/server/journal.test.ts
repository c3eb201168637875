import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { onTestFinished, expect, test } from 'vitest';
import { Journal, type KnownFile, type OpenEntry } from '../../server/stores/remote/journal.ts';
import { freshFolder } from './harness.ts';

const KEY = { userId: 1, key: 'key-of-a-change' };
const CREDENTIALS = { token: 't', cookie: '', antiForgery: '' };
const ENTRY: OpenEntry = {
  ...KEY,
  fingerprint: 'f',
  kind: 'ups',
  credentials: CREDENTIALS,
  work: {
    target: { op: 'delete', resource: 'ups', id: 7 },
    texts: [],
    values: {},
    files: [],
    left: [[]],
    arrived: [],
    duplicates: [],
  },
};
const FILE: KnownFile = {
  name: 'x.png',
  field: 'images',
  sha256: 'a',
  size: 1,
  originalName: 'mine.png',
  type: 'image/png',
};
const ANSWER = { message: 'Ups Deleted Successfully' };

async function journal() {
  const folder = await freshFolder();
  let at = Date.UTC(2026, 10, 20);
  const open = async () => {
    const opened = await Journal.open(folder, () => (at += 1));
    onTestFinished(() => opened.close().catch(() => undefined));
    return opened;
  };
  return { folder, open, kept: await open() };
}

test('keeps a passed-on change open until it is answered, also for the next process', async () => {
  const { kept, open } = await journal();
  await kept.passOn(ENTRY);
  // no close: the process was killed
  const next = await open();
  expect(await next.find(KEY)).toEqual({ state: 'open', entry: ENTRY });
  expect(await next.open()).toEqual([ENTRY]);
  await next.answer(KEY, ANSWER, []);
  expect(await next.open()).toEqual([]);
  expect(await kept.find(KEY)).toEqual({ state: 'answered', fingerprint: 'f', answer: ANSWER });
});

test('replaces the earlier progress and session of a change', async () => {
  const { kept } = await journal();
  await kept.passOn(ENTRY);
  const credentials = { ...CREDENTIALS, antiForgery: 'renewed' };
  const further = { ...ENTRY, credentials, work: { ...ENTRY.work, message: 'Done', left: [] } };
  await kept.passOn(further);
  expect(await kept.open()).toEqual([further]);
});

test('lists open changes in order of arrival', async () => {
  const { kept } = await journal();
  for (const key of ['zzzzzzzz', 'mmmmmmmm', 'aaaaaaaa']) await kept.passOn({ ...ENTRY, key });
  await kept.passOn({ ...ENTRY, key: 'zzzzzzzz', work: { ...ENTRY.work, message: 'Done' } });
  expect((await kept.open()).map(({ key }) => key)).toEqual(['zzzzzzzz', 'mmmmmmmm', 'aaaaaaaa']);
});

test('keeps the keys of different senders separate', async () => {
  const { kept } = await journal();
  await kept.passOn(ENTRY);
  await kept.passOn({ ...ENTRY, userId: 2 });
  await kept.answer(KEY, ANSWER, []);
  expect(await kept.find({ ...KEY, userId: 3 })).toBeUndefined();
  expect(await kept.find({ ...KEY, userId: 2 })).toMatchObject({ state: 'open' });
  await kept.forget({ ...KEY, userId: 2 });
  expect(await kept.find(KEY)).toMatchObject({ state: 'answered' });
});

test('forgets a change that certainly did not take effect', async () => {
  const { kept } = await journal();
  await kept.passOn(ENTRY);
  await kept.forget(KEY);
  expect([await kept.find(KEY), await kept.open()]).toEqual([undefined, []]);
});

test('removes the session and the contents of a change with its answer', async () => {
  const { kept, folder } = await journal();
  await kept.passOn({ ...ENTRY, credentials: { ...CREDENTIALS, token: 'secret-token' } });
  await kept.answer(KEY, ANSWER, []);
  await kept.close();
  const database = new DatabaseSync(join(folder, 'gateway.sqlite'));
  expect(JSON.stringify(database.prepare('SELECT * FROM entries').all())).not.toContain('secret-token');
  database.close();
});

test('stores a newer session for an open change, but not for an answered one', async () => {
  const { kept } = await journal();
  await kept.passOn(ENTRY);
  const newer = { ...CREDENTIALS, token: 'newer' };
  await kept.renew(KEY, newer);
  expect(await kept.open()).toMatchObject([{ credentials: newer }]);
  await kept.answer(KEY, ANSWER, []);
  await kept.renew(KEY, newer);
  expect(await kept.find(KEY)).toMatchObject({ state: 'answered', answer: ANSWER });
});

test('remembers the files of an answer under the first names they had', async () => {
  const { kept } = await journal();
  await kept.passOn(ENTRY);
  await kept.answer(KEY, ANSWER, [FILE]);
  await kept.answer(KEY, ANSWER, [{ ...FILE, originalName: 'later.png' }]);
  expect(await kept.knownFiles(['x.png', 'unknown.png'])).toEqual([FILE]);
  expect(await kept.knownFiles([])).toEqual([]);
});

test('writes an answer completely or not at all', async () => {
  const { kept, folder } = await journal();
  await kept.passOn(ENTRY);
  const database = new DatabaseSync(join(folder, 'gateway.sqlite'));
  database.exec("CREATE TRIGGER full BEFORE INSERT ON files BEGIN SELECT RAISE(ABORT, 'full'); END");
  database.close();
  await expect(kept.answer(KEY, ANSWER, [FILE])).rejects.toThrow('full');
  expect(await kept.find(KEY)).toMatchObject({ state: 'open' });
});

test('knows the record of an image: the one that showed it last', async () => {
  const { kept } = await journal();
  await kept.noteImages('ups', 7, [1, 2]);
  await kept.noteImages('ups', 7, [2, 3]);
  expect(await kept.ownerOf(3)).toEqual({ resource: 'ups', recordId: 7 });
  expect(await kept.ownerOf(4)).toBeUndefined();
  await kept.noteImages('generators', 9, [3]);
  expect(await kept.ownerOf(3)).toEqual({ resource: 'generators', recordId: 9 });
  expect(await kept.ownerOf(2)).toEqual({ resource: 'ups', recordId: 7 });
});

test('renews a sender’s session while the change is open, and does not keep it afterwards', async () => {
  const { kept, folder } = await journal();
  await kept.passOn(ENTRY);
  await kept.renew(KEY, { ...CREDENTIALS, token: 'new' });
  expect(await kept.open()).toMatchObject([{ credentials: { token: 'new' } }]);
  await kept.answer(KEY, ANSWER, []);
  await kept.renew(KEY, { ...CREDENTIALS, token: 'newer' });
  const database = new DatabaseSync(join(folder, 'gateway.sqlite'), { readOnly: true });
  onTestFinished(() => database.close());
  expect(database.prepare('SELECT credentials, work FROM entries').all()).toMatchObject([
    { credentials: null, work: null },
  ]);
});

test('renews the session of one sender only, even if another has the same key', async () => {
  const { kept } = await journal();
  const other = { ...ENTRY, userId: 2 };
  for (const entry of [ENTRY, other]) await kept.passOn(entry);
  const newer = { ...CREDENTIALS, token: 'newer' };
  await kept.renew(KEY, newer);
  expect(await kept.open()).toEqual([{ ...ENTRY, credentials: newer }, other]);
});
