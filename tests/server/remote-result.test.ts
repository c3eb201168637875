import { expect, test } from 'vitest';
import { resultOf, versionOf } from '../../server/stores/remote/result.ts';
import type { Work } from '../../server/stores/remote/work.ts';
import type { Reader } from '../../src/domain/protocol/read-back/reader.ts';
import type { ServerRecord } from '../../src/domain/resource.ts';

const photo = (sha256: string) => ({
  field: 'images',
  sha256,
  name: sha256,
  originalName: `${sha256}.jpg`,
  type: 'image/jpeg',
  size: 1,
});

const VALUES = { title: 'Volt', type: 'Generator', capacity: '', description: '' };

/** An edit that has added two photos to a record with one. */
const WORK = {
  target: { op: 'update', resource: 'projects', id: 7 },
  texts: [],
  values: VALUES,
  files: [photo('a'), photo('b')],
  left: [],
  arrived: [1, 0],
  duplicates: [],
  message: 'Project Updated Successfully',
  before: { record: { values: VALUES, files: {}, imageIds: [1] } },
} as unknown as Work;

const RECORD = {
  ...VALUES,
  id: 7,
  images: [1, 2, 3].map((id) => ({ id, image: `stored-${id}.jpg` })),
} as unknown as ServerRecord;

const reading = (record: () => Promise<ServerRecord | undefined>) => ({ record }) as unknown as Reader;
const result = (record: ServerRecord | undefined, work = WORK) =>
  resultOf(
    reading(async () => record),
    work,
  );

test('returns the version of an edit stored as sent, and its photos in the order they were sent', async () => {
  const { answer, files } = await result(RECORD);
  expect(answer).toEqual({ message: 'Project Updated Successfully', version: versionOf(RECORD) });
  expect(files.map(({ name, sha256, originalName }) => [name, sha256, originalName])).toEqual([
    ['stored-2.jpg', 'b', 'b.jpg'],
    ['stored-3.jpg', 'a', 'a.jpg'],
  ]);
});

test.each([
  ['another text', { ...RECORD, description: 'Theirs' }],
  ['one more photo', { ...RECORD, images: [...(RECORD.images ?? []), { id: 4, image: 'stored-4.jpg' }] }],
  ['one photo less', { ...RECORD, images: RECORD.images?.slice(0, 2) }],
])('returns no version for an edit when the record has %s by now', async (_what, record) => {
  expect((await result(record as ServerRecord)).answer).not.toHaveProperty('version');
});

test('matches no photos when others were added meanwhile, because the order is ambiguous', async () => {
  const images = [...(RECORD.images ?? []), { id: 4, image: 'stored-4.jpg' }];
  expect((await result({ ...RECORD, images })).files).toEqual([]);
});

test('answers a change that took effect even when its record cannot be read or is gone', async () => {
  const failing = reading(() => Promise.reject(new Error('The back end is away.')));
  expect(await resultOf(failing, WORK)).toEqual({ answer: { message: 'Project Updated Successfully' }, files: [] });
  expect(await result(undefined)).toEqual({ answer: { message: 'Project Updated Successfully' }, files: [] });
});
