import { describe, expect, test } from 'vitest';
import { compare, isUnchanged, sameText } from '../../../src/domain/outbox/conflict.ts';
import type { Base } from '../../../src/domain/outbox/vocabulary.ts';
import { editing, fileOf, partner } from './samples.ts';

const theirs = (name: string, link: string, more: Partial<Base> = {}): Base => ({
  version: '2',
  values: partner(name, link),
  imageIds: [],
  ...more,
});
const edit = editing('7', partner('Acme', 'a'), partner('Acme Ltd', 'a'), '1');

test('different fields merge: mine where I changed something, theirs elsewhere', () => {
  const comparison = compare(edit, theirs('Acme', 'b'));
  expect(comparison).toMatchObject({ conflicts: [], kept: ['link'], merged: { name: 'Acme Ltd', link: 'b' } });
});

test('the same field changed on both sides needs somebody', () => {
  const comparison = compare(edit, theirs('Acme Inc', 'a'));
  expect(comparison.conflicts).toEqual(['name']);
  expect(comparison.differences).toEqual([
    { field: 'name', base: 'Acme', mine: 'Acme Ltd', theirs: 'Acme Inc', changedBy: 'both' },
  ]);
});

test('the same change on both sides is none', () => {
  expect(compare(edit, theirs('Acme Ltd', 'a')).differences).toEqual([]);
});

test('what I did not touch never overwrites theirs', () => {
  const untouched = editing('7', partner('Acme', 'a'), partner('Acme', 'a'), '1');
  expect(compare(untouched, theirs('Acme Inc', 'b')).merged).toEqual(partner('Acme Inc', 'b'));
});

test('line ends and outer blanks, which forms and servers change, are no difference', () => {
  expect(sameText('one\r\ntwo ', ' one\ntwo')).toBe(true);
  expect(sameText(undefined, '')).toBe(true);
  expect(sameText('one', 'two')).toBe(false);
});

describe('files', () => {
  const withLogo = { ...edit, files: [fileOf('new', 'image')], base: { ...edit.base, files: { image: 'old.png' } } };

  test('a single file that was replaced on both sides needs somebody', () => {
    expect(compare(withLogo, theirs('Acme', 'a', { files: { image: 'other.png' } })).conflicts).toEqual(['image']);
  });

  test('a single file that only they replaced is kept', () => {
    const comparison = compare({ ...withLogo, files: [] }, theirs('Acme', 'a', { files: { image: 'other.png' } }));
    expect(comparison).toMatchObject({ conflicts: [], kept: ['image'] });
  });

  test('images that came or went on the server are told and stand in no edit’s way', () => {
    const based = { ...edit, base: { ...edit.base, imageIds: [1, 2] } };
    const comparison = compare(based, theirs('Acme', 'a', { imageIds: [2, 3] }));
    expect(comparison).toMatchObject({ conflicts: [], images: { added: [3], removed: [1] } });
  });
});

describe('a record that is to be deleted', () => {
  const base: Base = { values: partner('Acme', 'a'), imageIds: [1], files: { image: 'old.png' } };

  test.each([
    ['nothing', theirs('Acme', 'a', { imageIds: [1], files: { image: 'old.png' } }), true],
    ['a text', theirs('Acme Inc', 'a', { imageIds: [1], files: { image: 'old.png' } }), false],
    ['an image', theirs('Acme', 'a', { imageIds: [1, 2], files: { image: 'old.png' } }), false],
    ['the single file', theirs('Acme', 'a', { imageIds: [1], files: { image: 'new.png' } }), false],
  ])('when %s has changed on the server', (_what, now, unchanged) => {
    expect(isUnchanged(base, now)).toBe(unchanged);
  });

  test('has changed where an image is gone, also one that stood beside own new ones', () => {
    const withImages = { ...base, imageIds: [1, 2] };
    const now = theirs('Acme', 'a', { imageIds: [1, 3], files: { image: 'old.png' } });
    expect(isUnchanged({ ...withImages, ownImagesAdded: true }, now)).toBe(false);
    expect(isUnchanged(withImages, { ...now, imageIds: [1] })).toBe(false);
    expect(isUnchanged(withImages, { ...now, imageIds: [1, 2] })).toBe(true);
  });

  test('is unchanged by images that this device has added itself', () => {
    const now = theirs('Acme', 'a', { imageIds: [1, 2], files: { image: 'old.png' } });
    expect(isUnchanged({ ...base, ownImagesAdded: true }, now)).toBe(true);
  });
});

test('a field that the form did not know yet keeps what the server holds', () => {
  const before = { ...edit, values: { name: 'Acme Ltd' }, base: { ...edit.base, values: { name: 'Acme' } } };
  const comparison = compare(before, theirs('Acme', 'b'));
  expect(comparison).toMatchObject({ conflicts: [], kept: ['link'], merged: { name: 'Acme Ltd', link: 'b' } });
});
