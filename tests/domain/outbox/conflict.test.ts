import { describe, expect, test } from 'vitest';
import { compare, isOwnConflict, isUnchanged, sameText } from '../../../src/domain/outbox/conflict.ts';
import type { Base, Change, OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import { creating, deleting, editing, entryOf, fileOf, type MoreFacts, NOW, partner } from './samples.ts';

const theirs = (name: string, link: string, more: Partial<Base> = {}): Base => ({
  version: '2',
  values: partner(name, link),
  imageIds: [],
  ...more,
});
const edit = editing('7', partner('Acme', 'a'), partner('Acme Ltd', 'a'), '1');

test('merges changes to different fields: mine where I edited, theirs elsewhere', () => {
  const comparison = compare(edit, theirs('Acme', 'b'));
  expect(comparison).toMatchObject({ conflicts: [], kept: ['link'], merged: { name: 'Acme Ltd', link: 'b' } });
});

test('the same field changed on both sides is a conflict', () => {
  const comparison = compare(edit, theirs('Acme Inc', 'a'));
  expect(comparison.conflicts).toEqual(['name']);
  expect(comparison.differences).toEqual([
    { field: 'name', base: 'Acme', mine: 'Acme Ltd', theirs: 'Acme Inc', changedBy: 'both' },
  ]);
});

test('an edit does not clear a field that it leaves out', () => {
  const silent = { ...editing('7', partner('Acme', 'old'), {}), values: { name: 'Acme Ltd' } };
  const { conflicts, kept } = compare(silent, { values: partner('Acme', 'new'), imageIds: [] });
  expect({ conflicts, kept }).toEqual({ conflicts: [], kept: ['link'] });
});

test('the same change on both sides is no difference', () => {
  expect(compare(edit, theirs('Acme Ltd', 'a')).differences).toEqual([]);
});

test('a field I did not touch never overwrites theirs', () => {
  const untouched = editing('7', partner('Acme', 'a'), partner('Acme', 'a'), '1');
  expect(compare(untouched, theirs('Acme Inc', 'b')).merged).toEqual(partner('Acme Inc', 'b'));
});

test('line endings and surrounding whitespace are no difference', () => {
  expect(sameText('one\r\ntwo ', ' one\ntwo')).toBe(true);
  expect(sameText(undefined, '')).toBe(true);
  expect(sameText('one', 'two')).toBe(false);
});

/** Laravel's `Str::INVISIBLE_CHARACTERS`, and what PHP's `trim` removes. */
const TRIMMED = [
  [0x00, 0x09, 0x0a, 0x0b, 0x0d, 0x20, 0xa0, 0xad, 0x034f, 0x061c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180e],
  Array.from({ length: 16 }, (_, index) => 0x2000 + index),
  [0x202f, 0x205f, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0x2065],
  [0x206a, 0x206b, 0x206c, 0x206d, 0x206e, 0x206f, 0x3000, 0x2800, 0x3164, 0xfeff, 0xffa0],
  [0x1d159, 0x1d173, 0x1d174, 0x1d175, 0x1d176, 0x1d177, 0x1d178, 0x1d179, 0x1d17a, 0xe0020],
].flat();

test.each(TRIMMED.map((code) => [code.toString(16).toUpperCase(), String.fromCodePoint(code)]))(
  'U+%s is no difference at either end, as the newest Laravel trims it',
  (_code, letter) => {
    expect(sameText(`${letter}one${letter}${letter}`, 'one')).toBe(true);
    expect(sameText(letter, '')).toBe(true);
  },
);

test('invisible characters within a text, and letters beside them in Unicode, are a difference', () => {
  expect(sameText('o\u200bne', 'one')).toBe(false);
  for (const letter of ['\u2010', '\u2066', '\u2801', '\u{1d158}', '\u00ae'])
    expect(sameText(`one${letter}`, 'one')).toBe(false);
});

describe('files', () => {
  const withLogo = { ...edit, files: [fileOf('new', 'image')], base: { ...edit.base, files: { image: 'old.png' } } };

  test('a single file replaced on both sides is a conflict', () => {
    expect(compare(withLogo, theirs('Acme', 'a', { files: { image: 'other.png' } })).conflicts).toEqual(['image']);
  });

  test('a single file replaced only by them is kept', () => {
    const comparison = compare({ ...withLogo, files: [] }, theirs('Acme', 'a', { files: { image: 'other.png' } }));
    expect(comparison).toMatchObject({ conflicts: [], kept: ['image'] });
  });

  test('images added or removed on the server are listed and conflict with no edit', () => {
    const based = { ...edit, base: { ...edit.base, imageIds: [1, 2] } };
    const comparison = compare(based, theirs('Acme', 'a', { imageIds: [2, 3] }));
    expect(comparison).toMatchObject({ conflicts: [], images: { added: [3], removed: [1] } });
  });
});

describe('a record about to be deleted', () => {
  const base: Base = { values: partner('Acme', 'a'), imageIds: [1], files: { image: 'old.png' } };

  test.each([
    ['nothing', theirs('Acme', 'a', { imageIds: [1], files: { image: 'old.png' } }), true],
    ['a text', theirs('Acme Inc', 'a', { imageIds: [1], files: { image: 'old.png' } }), false],
    ['an image', theirs('Acme', 'a', { imageIds: [1, 2], files: { image: 'old.png' } }), false],
    ['the single file', theirs('Acme', 'a', { imageIds: [1], files: { image: 'new.png' } }), false],
  ])('when %s has changed on the server', (_what, now, unchanged) => {
    expect(isUnchanged(base, now)).toBe(unchanged);
  });

  test('has changed when an image is gone, even beside new ones of its own', () => {
    const withImages = { ...base, imageIds: [1, 2] };
    const now = theirs('Acme', 'a', { imageIds: [1, 3], files: { image: 'old.png' } });
    expect(isUnchanged(withImages, { ...now, imageIds: [1] })).toBe(false);
    expect(isUnchanged(withImages, { ...now, imageIds: [1, 2] })).toBe(true);
  });

  test('has changed when it holds a part that was not seen', () => {
    const now = theirs('Acme', 'a', { imageIds: [1], files: { image: 'old.png' } });
    const { imageIds: _, ...withoutImages } = base;
    const { files: __, ...withoutFiles } = base;
    expect(isUnchanged(withoutImages, now)).toBe(false);
    expect(isUnchanged(withoutFiles, now)).toBe(false);
    expect(isUnchanged({ ...base, values: { name: 'Acme' } }, now)).toBe(false);
  });

  test('is unchanged under the version that was seen', () => {
    const now = theirs('Acme', 'a', { imageIds: [1, 2], files: { image: 'old.png' } });
    expect(isUnchanged({ version: '2', values: {} }, now)).toBe(true);
    expect(isUnchanged({ version: '1', values: {} }, now)).toBe(false);
  });

  test('is unchanged when what was not seen is empty', () => {
    const now = theirs('Acme', '', { files: { image: '' } });
    expect(isUnchanged({ values: { name: 'Acme' } }, now)).toBe(true);
  });
});

test('a field that the form did not know yet keeps the server’s value', () => {
  const before = { ...edit, values: { name: 'Acme Ltd' }, base: { ...edit.base, values: { name: 'Acme' } } };
  const comparison = compare(before, theirs('Acme', 'b'));
  expect(comparison).toMatchObject({ conflicts: [], kept: ['link'], merged: { name: 'Acme Ltd', link: 'b' } });
});

describe('a conflict', () => {
  const wrote = (name: string, more: MoreFacts = {}) =>
    entryOf(editing('7', partner('Acme', 'a'), partner(name, 'a')), { state: 'done', ...more });
  const created = (recordId: string, serverId?: number) =>
    entryOf(creating(recordId, partner('Acme Inc', 'a')), {
      state: 'done',
      receipt: { at: NOW, message: 'Made.', ...(serverId === undefined ? {} : { serverId }) },
    });
  const other = { ...wrote('Acme Inc').change, recordId: '8' } as Change;

  test.each<[string, OutboxEntry[], boolean]>([
    ['an own edit of the record', [wrote('Acme Inc')], true],
    ['one of several own edits', [wrote('Acme SA'), wrote('Acme Inc')], true],
    ['the own create of the record', [created('local-1', 7)], true],
    ['no own change', [], false],
    ['someone else’s edit', [wrote('Acme Inc', { administrator: '2' })], false],
    ['an own edit that wrote another value', [wrote('Acme SA')], false],
    ['an own edit of another record', [entryOf(other, { state: 'done' })], false],
    ['the own create of another record', [created('local-1', 8)], false],
    ['an own create without a known id', [created('local-1')], false],
    ['an own delete', [entryOf(deleting('7'), { state: 'done' })], false],
  ])('may or may not come from %s', (_, done, own) => {
    expect(isOwnConflict(entryOf(edit), theirs('Acme Inc', 'a'), done)).toBe(own);
  });

  test('is one’s own only when every conflicting field is', () => {
    const both = editing('7', partner('Acme', 'a'), partner('Acme Ltd', 'mine'));
    expect(isOwnConflict(entryOf(both), theirs('Acme Inc', 'other'), [wrote('Acme Inc')])).toBe(false);
  });

  test('is never one’s own without a conflicting field', () => {
    expect(isOwnConflict(entryOf(edit), theirs('Acme', 'a'), [wrote('Acme Inc')])).toBe(false);
  });

  test('names who changed each field', () => {
    const { differences } = compare(edit, theirs('Acme', 'b'));
    expect(differences.map(({ field, changedBy }) => [field, changedBy])).toEqual([
      ['name', 'me'],
      ['link', 'them'],
    ]);
  });

  test('never arises for a delete without a base', () => {
    const comparison = compare(deleting('7'), theirs('Acme', 'a', { imageIds: [1], files: { image: 'a.png' } }));
    expect(comparison).toMatchObject({ conflicts: [], images: { added: [1], removed: [] } });
  });

  test('never arises from a file of another field, or from one that the server has lost', () => {
    const base = { ...edit.base, files: { image: 'old.png' } };
    const catalogue = { ...edit, files: [fileOf('new', 'catalog')], base };
    expect(compare(catalogue, theirs('Acme', 'a', { files: { image: 'old.png' } })).differences).toMatchObject([
      { field: 'name' },
    ]);
    expect(compare({ ...edit, base }, theirs('Acme', 'a')).kept).toEqual(['image']);
  });

  test('arises for a delete when one of several files is gone', () => {
    const base: Base = { values: {}, imageIds: [], files: { image: 'a.png', catalog: 'b.pdf' } };
    expect(isUnchanged(base, { values: {}, imageIds: [], files: { image: 'a.png' } })).toBe(false);
    expect(isUnchanged(base, { values: {}, imageIds: [] })).toBe(false);
  });

  test('never arises from old Mac line endings', () => {
    expect(sameText('one\rtwo', 'one\ntwo')).toBe(true);
  });
});
