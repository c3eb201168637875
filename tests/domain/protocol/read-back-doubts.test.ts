import { describe, expect, test } from 'vitest';
import { findOut } from '../../../src/domain/protocol/read-back/find-out.ts';
import type { Attempt, Reader, Sent, SentFile } from '../../../src/domain/protocol/read-back/reader.ts';
import { matched } from '../../../src/domain/protocol/read-back/stored-files.ts';
import type { ServerRecord } from '../../../src/domain/resource.ts';

/** Reading back when a first look is not conclusive: partly matching rows, partly stored files, no baseline. */

const ENDS_BY = 1000;
const late = { now: () => ENDS_BY };

/** A back end whose list shows its columns; a stored file's bytes hash to its name. */
function holding(...records: ServerRecord[]): Reader {
  return {
    rows: async () => records.map(({ id, brand, model }) => ({ id, brand, model })),
    record: async (_resource, id) => records.find((record) => String(record.id) === String(id)),
    sha256: async (name) => (name.startsWith('lost') ? undefined : name),
  };
}

/** A back end that must not be asked for a file. */
function unfetched(...records: ServerRecord[]): Reader {
  return { ...holding(...records), sha256: () => Promise.reject(new Error('fetched')) };
}

function attempt(more: Partial<Attempt> = {}): Attempt {
  return { baseline: { ids: [1] }, endsBy: ENDS_BY, now: () => 0, isClaimed: () => false, proof: 'bytes', ...more };
}

const photo = (sha256: string): SentFile => ({ field: 'images', sha256 });
const photos = (...names: string[]) => names.map((image, index) => ({ id: index + 1, image }));
const texts = { brand: 'B', capacity: '1', model: 'M', origin: 'UK', type: 'Online' };
const create: Sent = {
  op: 'create',
  resource: 'ups',
  values: texts,
  files: [{ field: 'catalog', sha256: 'pdf' }, photo('a'), photo('b')],
};
const row = (id: number, more: object = {}): ServerRecord => ({
  id,
  ...texts,
  catalog: 'pdf',
  images: photos('a', 'b'),
  ...more,
});
const others = { catalog: 'x', images: photos('x', 'y') };

describe('a create', () => {
  test('without files is not found in a row with other texts', async () => {
    const bare: Sent = { ...create, files: [] };
    const other = holding(row(2, { model: 'N', catalog: null, images: [] }));
    expect(await findOut(other, bare, attempt(late))).toEqual({ found: 'question', ids: [2] });
    const same = holding(row(2, { catalog: null, images: [] }));
    expect(await findOut(same, bare, attempt(late))).toMatchObject({ found: 'done', id: 2 });
  });

  test('is not found in a row with the same pictures and hardly any of its texts', async () => {
    const foreign = row(2, { brand: 'C', model: 'N', capacity: '9', origin: 'FR' });
    expect(await findOut(holding(foreign), create, attempt(late))).toEqual({ found: 'question', ids: [2] });
  });

  test('with a known success is the row with its files; another row with its texts is no duplicate', async () => {
    const found = await findOut(holding(row(2, others), row(3)), create, attempt({ confirmed: true }));
    expect(found).toEqual({ found: 'done', id: 3, duplicates: [], missing: [] });
  });

  test('with a known success is settled at once, even with files missing', async () => {
    const half = row(2, { images: photos('a', 'x') });
    const found = await findOut(holding(half, row(3, others)), create, attempt({ confirmed: true }));
    expect(found).toEqual({ found: 'done', id: 2, duplicates: [], missing: [photo('b')] });
  });

  test('with a known success downloads no picture over a bad link, even without a baseline', async () => {
    const told = attempt({ proof: 'texts', baseline: {}, confirmed: true });
    const found = await findOut(unfetched(row(2), row(3)), create, told);
    expect(found).toEqual({ found: 'done', id: 2, duplicates: [3], missing: [] });
  });

  test('that someone renamed is a question over a bad link when one of its pictures is there', async () => {
    const renamed = { brand: 'C', capacity: '9', origin: 'FR' };
    const far = attempt({ proof: 'texts', ...late });
    expect(await findOut(holding(row(2, renamed)), create, far)).toEqual({ found: 'question', ids: [2] });
    expect(await findOut(holding(row(2, { ...renamed, ...others })), create, far)).toEqual({ found: 'nothing' });
  });

  test('without a baseline is looked for only among rows that look alike in the list', async () => {
    const read: (number | string)[] = [];
    const reader = holding(row(1, { brand: 'C' }), row(2));
    const record: Reader['record'] = (resource, id) => {
      read.push(id);
      return reader.record(resource, id);
    };
    const found = await findOut({ ...reader, record }, create, attempt({ baseline: {} }));
    expect(found).toMatchObject({ found: 'done', id: 2 });
    expect(read).toEqual([2]);
  });

  test('with a baseline is looked for under other names too', async () => {
    const renamed = row(2, { brand: 'C', model: 'N' });
    expect(await findOut(holding(row(1), renamed), create, attempt())).toMatchObject({ found: 'done', id: 2 });
  });
});

describe('an edit', () => {
  const edit = (values: Partial<typeof texts>, files: readonly SentFile[] = []): Sent => ({
    op: 'update',
    resource: 'ups',
    recordId: '2',
    values: { ...texts, ...values },
    files,
  });
  const before = { values: texts, imageIds: [1], files: { catalog: 'pdf' } };
  const since = (more: Partial<Attempt> = {}) => attempt({ baseline: { record: before }, ...more });

  test('without a baseline is found by all of its texts, and otherwise conflicts with the record', async () => {
    const unknown = attempt({ baseline: {}, ...late });
    expect(await findOut(holding(row(2)), edit({}), unknown)).toMatchObject({ found: 'done' });
    expect(await findOut(holding(row(2)), edit({ model: 'N' }), unknown)).toMatchObject({ found: 'changed' });
  });

  test('is not found by a catalogue that was there before', async () => {
    const same = row(2, { images: photos('a') });
    const sent = edit({ model: 'N' }, [{ field: 'catalog', sha256: 'pdf' }]);
    expect(await findOut(holding(same), sent, since(late))).toEqual({ found: 'nothing' });
  });

  test('is found by a photo after one that someone else added', async () => {
    const stored = row(2, { images: photos('a', 'x', 'b') });
    const found = await findOut(holding(stored), edit({ model: 'N' }, [photo('b')]), since());
    expect(found).toEqual({ found: 'done', duplicates: [], missing: [] });
  });

  test('with the same photo twice misses one when only one is stored', async () => {
    const stored = row(2, { images: photos('a', 'b') });
    const found = await findOut(holding(stored), edit({}, [photo('b'), photo('b')]), since(late));
    expect(found).toEqual({ found: 'done', duplicates: [], missing: [photo('b')] });
  });

  test('is found by a photo after one that the back end has lost', async () => {
    const stored = row(2, { images: photos('a', 'lost', 'b') });
    expect(await findOut(holding(stored), edit({ model: 'N' }, [photo('b')]), since())).toMatchObject({
      found: 'done',
      missing: [],
    });
  });
});

describe('a delete', () => {
  const sent: Sent = { op: 'delete', resource: 'ups', recordId: '2' };
  const record = { values: { ...texts, model: 'before' }, imageIds: [1, 2], files: { catalog: 'pdf' } };

  test('of a record that someone has changed may still take effect', async () => {
    const found = await findOut(holding(row(2)), sent, attempt({ baseline: { record } }));
    expect(found).toEqual({ found: 'too-early', until: ENDS_BY });
  });

  test('is held up by photos that were not there before', async () => {
    const before = { values: texts, imageIds: [1], files: { catalog: 'pdf' } };
    const found = await findOut(holding(row(2)), sent, attempt({ baseline: { record: before }, ...late }));
    expect(found).toMatchObject({ found: 'changed' });
  });

  test('without a baseline has nothing to conflict with, and is sent again', async () => {
    expect(await findOut(holding(row(2)), sent, attempt({ baseline: {}, ...late }))).toEqual({ found: 'nothing' });
  });
});

test('the same bytes in another field are another file', () => {
  const [picture, sheet] = [photo('a'), { field: 'catalog', sha256: 'a' }];
  expect(matched([picture, sheet], [sheet])).toEqual({ there: [sheet], missing: [picture] });
});
