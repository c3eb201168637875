import { expect, test } from 'vitest';
import type { FileReference } from '../../src/domain/outbox/vocabulary.ts';
import { lackedFiles } from '../../src/offline/sender/key-reuse.ts';

/* What a repaired change still has to send, once the server has listed the files it received with the first version. */

function file(name: string, field = 'images'): FileReference {
  return { id: name, field, name: `${name}.gif`, type: 'image/gif', size: 3, sha256: `hash of ${name}` };
}

/** What the server holds: images by their ids, each stored under its own name, and other files. */
function holding(images: Readonly<Record<number, string>>, others: Readonly<Record<string, string>> = {}) {
  const ids = Object.entries(images);
  const received = ids.map(([id, mark]) => ({ field: 'images', name: `stored-${id}`, sha256: `hash of ${mark}` }));
  const rest = Object.entries(others).map(([field, mark]) => ({
    field,
    name: `stored-${field}`,
    sha256: `hash of ${mark}`,
  }));
  return {
    id: 7,
    images: ids.map(([id]) => ({ id: Number(id), image: `stored-${id}` })),
    files: [...received, ...rest],
  };
}

const namesOf = (files: readonly FileReference[]) => files.map(({ id }) => id);

test('does not send files that the server already holds by their bytes, whatever their names', () => {
  const record = holding({ 1: 'a', 2: 'b' }, { catalog: 'c' });
  expect(namesOf(lackedFiles([file('a'), file('b'), file('c', 'catalog'), file('d')], record, []))).toEqual(['d']);
});

test('counts the same photo twice as two', () => {
  expect(namesOf(lackedFiles([file('a'), file('a')], holding({ 1: 'a' }), []))).toEqual(['a']);
  expect(namesOf(lackedFiles([file('a'), file('a')], holding({ 1: 'a', 2: 'a' }), []))).toEqual([]);
});

test('a newer photo with other bytes counts as one that was attached again, and only as one', () => {
  expect(namesOf(lackedFiles([file('again')], holding({ 5: 'lost' }), []))).toEqual([]);
  expect(namesOf(lackedFiles([file('again'), file('more')], holding({ 5: 'lost' }), []))).toEqual(['more']);
});

test('an older photo counts as none of them', () => {
  expect(namesOf(lackedFiles([file('new')], holding({ 5: 'old' }), [5]))).toEqual(['new']);
  expect(namesOf(lackedFiles([file('new'), file('more')], holding({ 5: 'old', 6: 'lost' }), [5]))).toEqual(['more']);
});

test('a document with other bytes never counts as a photo, nor a photo as a document', () => {
  expect(namesOf(lackedFiles([file('new')], holding({}, { catalog: 'old' }), []))).toEqual(['new']);
  expect(namesOf(lackedFiles([file('new', 'catalog')], holding({ 5: 'lost' }), []))).toEqual(['new']);
});

test('all files are missing when the server lists none', () => {
  expect(namesOf(lackedFiles([file('a'), file('b')], { id: 7 }, []))).toEqual(['a', 'b']);
});
