import { describe, expect, test } from 'vitest';
import { wrongImages } from './files.ts';
import type { GivenFile, SavedChange } from './ledger.ts';

const CHANGE: SavedChange = {
  number: 1,
  place: 1,
  administrator: '1',
  op: 'update',
  resource: 'generators',
  record: 'record 1',
  touched: {},
  before: {},
  seenAt: 0,
  files: [],
  entryId: 'entry',
  fate: 'kept',
  decided: new Set(),
  overruled: new Set(),
};

/** `c<b`: c was picked in place of b, which was lost on the device. */
function given(text: string): GivenFile[] {
  return text.split(' ').map((one) => {
    const [sha256 = '', insteadOf] = one.split('<');
    return { field: 'images', sha256, ...(insteadOf === undefined ? {} : { insteadOf }) };
  });
}

function stored(text: string) {
  return { images: text.split(' ').map((sha256, id) => ({ id, sha256 })) };
}

function wrong(files: string, row: string, fates: { removed?: string; hasKeys?: boolean; repeated?: boolean } = {}) {
  const { removed, hasKeys = true, repeated = false } = fates;
  const what = { repeated, hasKeys, removed: removed === undefined ? [] : removed.split(' ') };
  return wrongImages({ ...CHANGE, files: given(files) }, stored(row), what).map((text) => text.split(': ')[0]);
}

describe('the images of a change', () => {
  test.each([
    ['each one is stored once and in order', 'a b c', 'a b c', {}],
    ['others may be stored between them', 'a b', 'x a y b', {}],
    ['equal photos are stored as often as they were given', 'a a b', 'a a b', {}],
    ['a photo picked again replaces the lost one', 'a c<b', 'a b', {}],
    ['one of two equal photos was lost: each has its own place', 'a c<b b', 'a c b', {}],
    ['both equal photos arrived before one of them was lost', 'c<b b', 'b b', {}],
    ['one that someone removed may be missing', 'a b', 'b', { removed: 'a' }],
    ['without keys a removed one is sent again and comes last', 'a b c', 'b c a', { removed: 'a', hasKeys: false }],
    ['a request repeated by the browser stores them twice', 'a b', 'a b a b', { repeated: true }],
  ])('%s', (_, files, row, fates) => {
    expect(wrong(files, row, fates)).toEqual([]);
  });

  test.each([
    ['one is missing', 'a b', 'a', {}, ['lost']],
    ['one of two equal ones is missing', 'a a', 'a', {}, ['lost']],
    ['one is missing and another was removed', 'a b', 'a', { removed: 'c' }, ['lost']],
    ['both are missing and only one was removed', 'a a b', 'b', { removed: 'a' }, ['lost']],
    ['one is stored twice', 'a b', 'a a b', {}, ['doubled']],
    ['both the lost one and its replacement are stored', 'a c<b', 'a b c', {}, ['doubled']],
    ['they are in another order', 'a b', 'b a', {}, ['reordered']],
    ['they are in another order after a removal, with keys', 'a b', 'b a', { removed: 'a' }, ['reordered']],
    ['the removed one does not come last', 'a b c', 'b a c', { removed: 'a', hasKeys: false }, ['reordered']],
    ['one that was not removed has moved', 'a b c', 'b c a', { removed: 'b', hasKeys: false }, ['reordered']],
  ])('are wrong when %s', (_, files, row, fates, expected) => {
    expect(wrong(files, row, fates)).toEqual(expected);
  });
});
