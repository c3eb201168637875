import { describe, expect, test } from 'vitest';
import { baselineOf, findOut } from '../../../src/domain/protocol/read-back/find-out.ts';
import { learnFile, NOTHING_LEARNED } from '../../../src/domain/protocol/read-back/learned.ts';
import type { Attempt, Reader, Sent, SentFile } from '../../../src/domain/protocol/read-back/reader.ts';
import { steadyReading } from '../../../src/domain/protocol/read-back/stored-files.ts';
import type { ServerRecord } from '../../../src/domain/resource.ts';

const ENDS_BY = 1000;

/** A back end that holds these records of the requested kind; a stored file's bytes hash to its name. */
function holding(...records: ServerRecord[]): Reader {
  return {
    rows: async () => records.map(({ id }) => ({ id })),
    record: async (_resource, id) => records.find((record) => String(record.id) === String(id)),
    sha256: async (name) => (name.startsWith('lost') ? undefined : name),
  };
}

function attempt(more: Partial<Attempt> = {}): Attempt {
  return { baseline: { ids: [1] }, endsBy: ENDS_BY, now: () => 0, isClaimed: () => false, proof: 'bytes', ...more };
}

const late = { now: () => ENDS_BY };
const photo = (sha256: string): SentFile => ({ field: 'images', sha256 });
const photos = (...names: string[]) => names.map((image, index) => ({ id: index + 1, image }));

const texts = { brand: 'B', capacity: '1', model: 'M', origin: 'UK', type: 'Online' };
const create: Sent & { readonly op: 'create' } = {
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

describe('before a request goes out', () => {
  test('records the ids of the list for a create, and the record for an edit', async () => {
    expect(await baselineOf(holding(row(1), row(2)), create)).toEqual({ ids: [1, 2] });
    const edit: Sent = { op: 'update', resource: 'ups', recordId: '2', values: texts, files: [] };
    expect(await baselineOf(holding(row(2)), edit)).toMatchObject({ record: { values: texts, imageIds: [1, 2] } });
  });

  test('reports a record that is gone', async () => {
    expect(await baselineOf(holding(), { op: 'delete', resource: 'ups', recordId: '2' })).toBeUndefined();
  });
});

describe('the bytes of a stored file', () => {
  const answering = (...answers: (string | undefined)[]) => ({ sha256: async () => answers.shift() });
  const sent = [{ sha256: 'sent' }];

  test.each([
    ['are those that were sent, read once', ['sent', 'never read'], 'sent'],
    ['are read again before they count as others', ['cut', 'sent'], 'sent'],
    ['are others if they are the same twice', ['other', 'other'], 'other'],
    ['say nothing if they differ with every reading', ['cut', 'cut elsewhere'], undefined],
    ['say nothing if they cannot be read', [undefined], undefined],
  ])('%s', async (_what, answers, expected) => {
    expect((await steadyReading(answering(...answers), 'a.png', sent)).sha256).toBe(expected);
  });
});

describe('a create over a good link', () => {
  test('is found as the new row with its texts and files', async () => {
    const found = await findOut(holding(row(1), row(2)), create, attempt());
    expect(found).toEqual({ found: 'done', id: 2, duplicates: [], missing: [] });
  });

  test('is not a row that was there before, nor one that another create claims', async () => {
    const claimed = attempt({ isClaimed: (id) => id === 2, ...late });
    expect(await findOut(holding(row(1), row(2)), create, claimed)).toEqual({ found: 'nothing' });
  });

  test('is found after a new row that is deleted while it is read', async () => {
    const reader = { ...holding(row(3)), rows: async () => [{ id: 2 }, { id: 3 }] };
    expect(await findOut(reader, create, attempt())).toMatchObject({ found: 'done', id: 3 });
  });

  test('is the only new row with its texts and as many pictures, which the back end has encoded anew', async () => {
    const other = row(2, { catalog: 'other', images: photos('x', 'y') });
    expect(await findOut(holding(row(1), other), create, attempt())).toMatchObject({ found: 'done', id: 2 });
  });

  test('is a question where such a row turns up late and nothing is known of the back end: it may be a colleague’s', async () => {
    const other = holding(row(1), row(2, { catalog: 'other', images: photos('x', 'y') }));
    const asked = { ...attempt(late), foundNothing: true };
    expect(await findOut(other, create, asked)).toEqual({ found: 'question', ids: [2] });
    const files = create.files.map((file) => ({ ...file, size: 1 }));
    const learned = files.reduce((known, file) => learnFile(known, file, 'other'), NOTHING_LEARNED);
    const again = await findOut(other, { ...create, files }, { ...asked, learned });
    expect(again).toMatchObject({ found: 'done', id: 2 });
    const lagging = { ...NOTHING_LEARNED, listLag: 5000 };
    expect(await findOut(other, create, { ...asked, learned: lagging })).toMatchObject({ found: 'done', id: 2 });
    expect(await findOut(holding(row(1), row(2)), create, asked)).toMatchObject({ found: 'done', id: 2 });
  });

  test('is not sent again while a new row could be it: another product with the same catalogue', async () => {
    const other = row(2, { model: 'N', images: photos('x', 'y', 'z') });
    expect(await findOut(holding(row(1), other), create, attempt())).toEqual({ found: 'too-early', until: ENDS_BY });
    expect(await findOut(holding(row(1), other), create, attempt(late))).toEqual({ found: 'question', ids: [2] });
  });

  test('is found by all its files in a row that someone has renamed', async () => {
    const renamed = row(2, { brand: 'C', model: 'N' });
    expect(await findOut(holding(row(1), renamed), create, attempt())).toMatchObject({ found: 'done', id: 2 });
  });

  test('lists the duplicates that a repeated request has created', async () => {
    const found = await findOut(holding(row(1), row(2), row(3)), create, attempt());
    expect(found).toEqual({ found: 'done', id: 2, duplicates: [3], missing: [] });
  });

  test('waits for images that are still being stored, and lists those that never were', async () => {
    const half = holding(row(2, { images: photos('a') }));
    expect(await findOut(half, create, attempt())).toEqual({ found: 'too-early', until: ENDS_BY });
    expect(await findOut(half, create, attempt(late))).toMatchObject({ found: 'done', id: 2, missing: [photo('b')] });
  });

  test('is sent again only when the first request can no longer take effect', async () => {
    expect(await findOut(holding(row(1)), create, attempt())).toEqual({ found: 'too-early', until: ENDS_BY });
    expect(await findOut(holding(row(1)), create, attempt(late))).toEqual({ found: 'nothing' });
  });

  test('with a known success needs only its id: the new row with its texts, whatever its pictures', async () => {
    const other = row(2, { images: photos('x', 'y') });
    expect(await findOut(holding(row(1), other), create, attempt({ confirmed: true }))).toMatchObject({ id: 2 });
  });

  test('with a known success has no id when its row is gone again', async () => {
    const found = await findOut(holding(row(1)), create, attempt({ confirmed: true }));
    expect(found).toEqual({ found: 'done', duplicates: [], missing: [] });
  });

  test('passes on the error that stopped the reading', async () => {
    const reader = { ...holding(row(2)), sha256: () => Promise.reject(new Error('cut')) };
    await expect(findOut(reader, create, attempt())).rejects.toThrow('cut');
  });
});

describe('a create over a bad link', () => {
  const far = (more: Partial<Attempt> = {}) => attempt({ proof: 'texts', ...more });

  /** The names of the files that a search downloads. */
  const downloads = async (stored: ServerRecord, sent: Sent) => {
    const fetched: string[] = [];
    const reader = holding(row(1), stored);
    const noting = { ...reader, sha256: (name: string) => (fetched.push(name), reader.sha256(name)) };
    return { finding: await findOut(noting, sent, far(late)), fetched };
  };

  test('is the one new row with its texts and one of its pictures, the only file that is downloaded', async () => {
    const { finding, fetched } = await downloads(row(2), create);
    expect(finding).toMatchObject({ found: 'done', id: 2 });
    expect(fetched).toEqual(['a']);
  });

  test('is a question when the one new row with its texts has other pictures', async () => {
    const { finding, fetched } = await downloads(row(2, { images: photos('x', 'y') }), create);
    expect(finding).toEqual({ found: 'question', ids: [2] });
    expect(fetched).toEqual(['x', 'y']);
  });

  test('without pictures is the one new row with its texts and its catalogue', async () => {
    const sent = { ...create, files: [{ field: 'catalog', sha256: 'pdf' }] } as Sent;
    expect((await downloads(row(2), sent)).finding).toMatchObject({ found: 'done', id: 2 });
    expect((await downloads(row(2, { catalog: 'x' }), sent)).finding).toEqual({ found: 'question', ids: [2] });
  });

  test('without files is the one new row with its texts', async () => {
    const { finding, fetched } = await downloads(row(2), { ...create, files: [] } as Sent);
    expect(finding).toMatchObject({ found: 'done', id: 2 });
    expect(fetched).toEqual([]);
  });

  test('is a question when several rows match, or one that someone has edited', async () => {
    expect(await findOut(holding(row(2), row(3)), create, far())).toEqual({ found: 'question', ids: [2, 3] });
    const edited = holding(row(2, { capacity: '9' }));
    expect(await findOut(edited, create, far())).toEqual({ found: 'question', ids: [2] });
  });

  test('without a baseline is found by its files', async () => {
    const none = far({ baseline: {}, ...late });
    expect(await findOut(holding(row(2)), create, none)).toMatchObject({ found: 'done', id: 2 });
    const twin = row(2, { catalog: 'x', images: photos('x', 'y') });
    expect(await findOut(holding(twin), create, none)).toEqual({ found: 'question', ids: [2] });
  });

  test('without a baseline is a question when only a catalogue matches, since many records share it', async () => {
    const none = far({ baseline: {}, ...late });
    const otherPictures = row(2, { images: photos('x', 'y') });
    expect(await findOut(holding(otherPictures), create, none)).toEqual({ found: 'question', ids: [2] });
    const bare: Sent = { ...create, files: [] };
    expect(await findOut(holding(row(2)), bare, none)).toEqual({ found: 'question', ids: [2] });
  });

  test('is sent again when no new row resembles it and the first request can no longer take effect', async () => {
    const other = row(2, { brand: 'C', model: 'N', capacity: '9', images: photos('x', 'y') });
    expect(await findOut(holding(row(1), other), create, far())).toEqual({ found: 'too-early', until: ENDS_BY });
    expect(await findOut(holding(row(1), other), create, far(late))).toEqual({ found: 'nothing' });
  });

  test('with a known success is the oldest best match, and lists its duplicates', async () => {
    const confirmed = far({ confirmed: true });
    const edited = row(2, { capacity: '9' });
    const found = await findOut(holding(edited, row(4), row(5)), create, confirmed);
    expect(found).toEqual({ found: 'done', id: 4, duplicates: [5], missing: [] });
    expect(await findOut(holding(edited), create, confirmed)).toMatchObject({ found: 'done', id: 2 });
  });
});

describe('an edit', () => {
  const before = { values: texts, imageIds: [1], files: { catalog: 'pdf' } };
  const edit = (values: Partial<typeof texts>, files: readonly SentFile[] = []): Sent => ({
    op: 'update',
    resource: 'ups',
    recordId: '2',
    values: { ...texts, ...values },
    files,
  });
  const now = (more: object = {}) => holding(row(2, { images: photos('a'), ...more }));
  const since = (more: Partial<Attempt> = {}) => attempt({ baseline: { record: before }, ...more });

  test('took effect when its texts are there', async () => {
    const found = await findOut(now({ model: 'N' }), edit({ model: 'N' }), since());
    expect(found).toEqual({ found: 'done', duplicates: [], missing: [] });
  });

  test('without changes is settled only when it can no longer arrive and overwrite something newer', async () => {
    expect(await findOut(now(), edit({}), since())).toEqual({ found: 'too-early', until: ENDS_BY });
    expect(await findOut(now(), edit({}), since(late))).toMatchObject({ found: 'done' });
  });

  test('took effect when its photos are there, even if its texts were overwritten since', async () => {
    const reader = now({ model: 'later', images: photos('a', 'b') });
    expect(await findOut(reader, edit({ model: 'N' }, [photo('b')]), since())).toMatchObject({ found: 'done' });
  });

  test('took effect when its catalogue is there under a new name', async () => {
    const sent = edit({ model: 'N' }, [{ field: 'catalog', sha256: 'new' }]);
    expect(await findOut(now({ catalog: 'new', model: 'N' }), sent, since())).toMatchObject({ found: 'done' });
  });

  test('is not found by a photo that was there before', async () => {
    const found = await findOut(now(), edit({}, [photo('a')]), since(late));
    expect(found).toEqual({ found: 'nothing' });
  });

  test('lists missing photos once none can still arrive, so that each is sent once', async () => {
    const reader = now({ images: photos('a', 'b') });
    const sent = edit({}, [photo('b'), photo('c')]);
    expect(await findOut(reader, sent, since())).toEqual({ found: 'too-early', until: ENDS_BY });
    expect(await findOut(reader, sent, since(late))).toMatchObject({ found: 'done', missing: [photo('c')] });
  });

  test('is sent again when the record is unchanged and the first request can no longer take effect', async () => {
    expect(await findOut(now(), edit({ model: 'N' }), since())).toMatchObject({ found: 'too-early' });
    expect(await findOut(now(), edit({ model: 'N' }), since(late))).toEqual({ found: 'nothing' });
  });

  test('conflicts with what someone else has changed', async () => {
    const found = await findOut(now({ model: 'theirs' }), edit({ model: 'N' }), since(late));
    expect(found).toMatchObject({ found: 'changed', theirs: { values: { model: 'theirs' } } });
  });

  test('of a deleted record has nothing to compare with', async () => {
    expect(await findOut(holding(), edit({}), since())).toEqual({ found: 'gone' });
  });

  test('of the settings is found by their texts', async () => {
    const save: Sent = { op: 'update', resource: 'site-meta', recordId: '1', files: [], values: { title: 'New' } };
    const settings = since({ baseline: { record: { values: { title: 'Old' }, imageIds: [] } } });
    const as = (title: string) => holding({ id: 1, title });
    expect(await findOut(as('New'), save, settings)).toMatchObject({ found: 'done' });
    expect(await findOut(as('Old'), save, settings)).toMatchObject({ found: 'too-early' });
  });
});

describe('a delete', () => {
  const sent: Sent = { op: 'delete', resource: 'ups', recordId: '2' };
  const since = attempt({
    baseline: { record: { values: texts, imageIds: [1, 2], files: { catalog: 'pdf' } } },
    ...late,
  });

  test('of a record that is gone is done', async () => {
    expect(await findOut(holding(row(1)), sent, since)).toMatchObject({ found: 'done' });
  });

  test('of an unchanged record is sent again, and of a changed one it is not', async () => {
    expect(await findOut(holding(row(2)), sent, since)).toEqual({ found: 'nothing' });
    expect(await findOut(holding(row(2, { model: 'theirs' })), sent, since)).toMatchObject({ found: 'changed' });
  });

  test('of an image can always be sent again', async () => {
    expect(await findOut(holding(), { op: 'delete-image', imageId: 4 }, since)).toEqual({ found: 'nothing' });
  });
});
