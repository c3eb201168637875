import { join } from 'node:path';
import { expect, test } from 'vitest';
import { afterStep, formFor, nextRequest, type Step, type Work, workIn } from '../../server/stores/remote/work.ts';

test('reads an unresolved settings save of an older gateway as an edit', () => {
  const sent = { op: 'save-settings', values: { title: 'New' } };
  const work = { target: { op: 'save-settings' }, texts: [], values: { title: 'New' }, files: [], left: [[]] };
  const read = workIn(
    JSON.stringify({ ...work, step: { sent, files: [], baseline: {}, endsBy: 1, keepsTexts: false } }),
  );
  expect(read.target).toMatchObject({ op: 'update', resource: 'site-meta', id: 1 });
  expect(read.step?.sent).toEqual({
    ...sent,
    op: 'update',
    resource: 'site-meta',
    id: 1,
    recordId: '1',
    files: [],
  });
});

test('reads any other change as it was written', () => {
  const target = { op: 'update', resource: 'partners', id: 7 };
  expect(workIn(JSON.stringify({ target, values: { name: 'A' } }))).toEqual({ target, values: { name: 'A' } });
});

/** An edit of four photos in three requests, the first of which has taken effect. */
function halfWay(): readonly [Work, Step] {
  const files = ['a', 'b', 'c', 'd'].map((sha256) => ({
    field: 'images',
    sha256,
    name: sha256,
    originalName: `${sha256}.jpg`,
    type: 'image/jpeg',
    size: 1,
  }));
  const step = { sent: {}, files: [0, 1], baseline: {}, endsBy: 1, keepsTexts: true } as unknown as Step;
  const target = { op: 'update', resource: 'projects', id: 7 };
  const work = { target, texts: [], values: {}, files, left: [[0, 1], [2], [3]], arrived: [], duplicates: [], step };
  return [work as unknown as Work, step];
}

test('keeps the remaining requests after one took effect, and marks its files as arrived', () => {
  const { left, arrived, step } = afterStep(...halfWay());
  expect({ left, arrived, step }).toEqual({ left: [[2], [3]], arrived: [0, 1], step: undefined });
});

test('sends a file of it that did not arrive again, before all others', () => {
  const { left, arrived } = afterStep(...halfWay(), [{ field: 'images', sha256: 'b' }]);
  expect({ left, arrived }).toEqual({ left: [[1], [2], [3]], arrived: [0] });
});

test('sends one of two equal photos again when only one arrived', () => {
  const [work, step] = halfWay();
  const equal = { ...work, files: work.files.map((file) => ({ ...file, sha256: 'a' })) };
  const { left, arrived } = afterStep(equal, step, [{ field: 'images', sha256: 'a' }]);
  expect({ left, arrived }).toEqual({ left: [[0], [2], [3]], arrived: [1] });
});

test('keeps the texts of a create while photos follow, and sends an edit’s texts with its last part', () => {
  const [edit] = halfWay();
  const create = { ...edit, target: { op: 'create', resource: 'projects' }, recordId: '9', left: [[3]] } as Work;
  expect(nextRequest(create)).toMatchObject({ keepsTexts: true, sent: { op: 'update', recordId: '9' } });
  expect(nextRequest({ ...edit, left: [[2], [3]] })).toMatchObject({ keepsTexts: true });
  expect(nextRequest({ ...edit, left: [[3]] })).toMatchObject({ keepsTexts: false, sent: { recordId: '7' } });
});

test('sends texts as they came, or those of the stored record where a part keeps them', () => {
  const [before] = halfWay();
  const work = { ...before, texts: [['name', '  Raw ']], values: { name: 'Raw' } } as unknown as Work;
  const sent = { op: 'update', resource: 'projects', recordId: '7', values: work.values, files: [] } as const;
  expect(formFor(work, { sent, files: [] }, '/')?.texts).toEqual([['name', '  Raw ']]);
  const theirs = { ...sent, values: { name: 'Theirs' } };
  expect(formFor(work, { sent: theirs, files: [] }, '/')?.texts).toEqual([['name', 'Theirs']]);
});

test('sends files under their original names and the field names of the wire', () => {
  const [before] = halfWay();
  const photo = { sha256: 'a', size: 7, type: 'image/png' };
  const files = [
    { ...photo, field: 'images', name: 'kept-1', originalName: 'Roof.png' },
    { ...photo, field: 'image', name: 'kept-2', originalName: 'Logo.png' },
  ];
  const sent = { op: 'update', resource: 'projects', recordId: '7', values: {}, files: [] } as const;
  expect(formFor({ ...before, files } as Work, { sent, files: [0, 1] }, '/kept')?.files).toEqual([
    { name: 'images[]', path: join('/kept', 'kept-1'), size: 7, type: 'image/png', fileName: 'Roof.png' },
    { name: 'image', path: join('/kept', 'kept-2'), size: 7, type: 'image/png', fileName: 'Logo.png' },
  ]);
});
