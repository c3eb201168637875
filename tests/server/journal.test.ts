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

test('what was passed on is open until it is answered, also for the next process', async () => {
  const { kept, open } = await journal();
  await kept.passOn(ENTRY);
  // no close: it was killed
  const next = await open();
  expect(await next.find(KEY)).toEqual({ state: 'open', entry: ENTRY });
  expect(await next.open()).toEqual([ENTRY]);
  await next.answer(KEY, ANSWER, []);
  expect(await next.open()).toEqual([]);
  expect(await kept.find(KEY)).toEqual({ state: 'answered', fingerprint: 'f', answer: ANSWER });
});

test('how far a change is, and in which session, takes the place of what was known before', async () => {
  const { kept } = await journal();
  await kept.passOn(ENTRY);
  const credentials = { ...CREDENTIALS, antiForgery: 'renewed' };
  const further = { ...ENTRY, credentials, work: { ...ENTRY.work, message: 'Done', left: [] } };
  await kept.passOn(further);
  expect(await kept.open()).toEqual([further]);
});

test('lists what is open in the order in which it came', async () => {
  const { kept } = await journal();
  for (const key of ['zzzzzzzz', 'mmmmmmmm', 'aaaaaaaa']) await kept.passOn({ ...ENTRY, key });
  await kept.passOn({ ...ENTRY, key: 'zzzzzzzz', work: { ...ENTRY.work, message: 'Done' } });
  expect((await kept.open()).map(({ key }) => key)).toEqual(['zzzzzzzz', 'mmmmmmmm', 'aaaaaaaa']);
});

test('a key is its sender\u2019s own', async () => {
  const { kept } = await journal();
  await kept.passOn(ENTRY);
  await kept.passOn({ ...ENTRY, userId: 2 });
  await kept.answer(KEY, ANSWER, []);
  expect(await kept.find({ ...KEY, userId: 3 })).toBeUndefined();
  expect(await kept.find({ ...KEY, userId: 2 })).toMatchObject({ state: 'open' });
  await kept.forget({ ...KEY, userId: 2 });
  expect(await kept.find(KEY)).toMatchObject({ state: 'answered' });
});

test('what surely has not taken effect is forgotten', async () => {
  const { kept } = await journal();
  await kept.passOn(ENTRY);
  await kept.forget(KEY);
  expect([await kept.find(KEY), await kept.open()]).toEqual([undefined, []]);
});

test('an answer takes the session and the contents with it: they are not kept longer than needed', async () => {
  const { kept, folder } = await journal();
  await kept.passOn({ ...ENTRY, credentials: { ...CREDENTIALS, token: 'secret-token' } });
  await kept.answer(KEY, ANSWER, []);
  await kept.close();
  const database = new DatabaseSync(join(folder, 'gateway.sqlite'));
  expect(JSON.stringify(database.prepare('SELECT * FROM entries').all())).not.toContain('secret-token');
  database.close();
});

test('a newer session is taken for what is open, and not for what is answered', async () => {
  const { kept } = await journal();
  await kept.passOn(ENTRY);
  const newer = { ...CREDENTIALS, token: 'newer' };
  await kept.renew(KEY, newer);
  expect(await kept.open()).toMatchObject([{ credentials: newer }]);
  await kept.answer(KEY, ANSWER, []);
  await kept.renew(KEY, newer);
  expect(await kept.find(KEY)).toMatchObject({ state: 'answered', answer: ANSWER });
});

test('knows the files that came with an answer, and the first names they had', async () => {
  const { kept } = await journal();
  await kept.passOn(ENTRY);
  await kept.answer(KEY, ANSWER, [FILE]);
  await kept.answer(KEY, ANSWER, [{ ...FILE, originalName: 'later.png' }]);
  expect(await kept.knownFiles(['x.png', 'unknown.png'])).toEqual([FILE]);
  expect(await kept.knownFiles([])).toEqual([]);
});

test('an answer that cannot be written whole is not written at all', async () => {
  const { kept, folder } = await journal();
  await kept.passOn(ENTRY);
  const database = new DatabaseSync(join(folder, 'gateway.sqlite'));
  database.exec("CREATE TRIGGER full BEFORE INSERT ON files BEGIN SELECT RAISE(ABORT, 'full'); END");
  database.close();
  await expect(kept.answer(KEY, ANSWER, [FILE])).rejects.toThrow('full');
  expect(await kept.find(KEY)).toMatchObject({ state: 'open' });
});

test('knows which record an image belongs to, the one that showed it last', async () => {
  const { kept } = await journal();
  await kept.noteImages('ups', 7, [1, 2]);
  await kept.noteImages('ups', 7, [2, 3]);
  expect(await kept.ownerOf(3)).toEqual({ resource: 'ups', recordId: 7 });
  expect(await kept.ownerOf(4)).toBeUndefined();
  await kept.noteImages('generators', 9, [3]);
  expect(await kept.ownerOf(3)).toEqual({ resource: 'generators', recordId: 9 });
  expect(await kept.ownerOf(2)).toEqual({ resource: 'ups', recordId: 7 });
});

test('the session of a sender is renewed while its change is open, and is not kept any more once it is answered', async () => {
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

test('the session that is renewed is that of one sender, whoever else has the same key', async () => {
  const { kept } = await journal();
  const other = { ...ENTRY, userId: 2 };
  for (const entry of [ENTRY, other]) await kept.passOn(entry);
  const newer = { ...CREDENTIALS, token: 'newer' };
  await kept.renew(KEY, newer);
  expect(await kept.open()).toEqual([{ ...ENTRY, credentials: newer }, other]);
});
