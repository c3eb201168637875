import { describe, expect, test } from 'vitest';
import type { Base, Change } from '../../src/domain/outbox/vocabulary.ts';
import { type Comparable, reconcile } from '../../src/offline/sender/reconcile.ts';
import { editing, entryOf, fileOf, partner } from '../domain/outbox/samples.ts';

const BASE: Base = {
  values: partner('Acme', 'a'),
  imageIds: [4, 5],
  files: { image: 'old.png', catalog: 'old.pdf' },
  version: '1',
};

function reconciled(change: Change, theirs: Base, delivery: readonly 'attempt'[] = []) {
  return reconcile(entryOf(change, { delivery }), change as Comparable, theirs);
}

describe('a replaced picture', () => {
  const edit = {
    ...editing('7', partner('Acme', 'a'), partner('Acme Ltd', 'a')),
    base: BASE,
    files: [fileOf('new', 'image')],
  };
  const replaced = { ...BASE, files: { image: 'stored.png', catalog: 'old.pdf' } };

  test('that may come from an earlier attempt of one’s own is no conflict', () => {
    expect(reconciled(edit, replaced, ['attempt'])).toMatchObject({
      kind: 'go',
      change: { base: replaced },
      merged: [],
    });
  });

  test('of someone else conflicts with an edit that was never sent', () => {
    expect(reconciled(edit, replaced)).toEqual({ kind: 'conflict' });
  });

  test('over one that was not seen is a conflict, and over none is not', () => {
    const { files: _, ...base } = BASE;
    expect(reconciled({ ...edit, base }, BASE)).toEqual({ kind: 'conflict' });
    expect(reconciled({ ...edit, base }, { ...BASE, files: { image: '' } })).toMatchObject({ kind: 'go' });
  });

  test('that was given the name of one’s own file is still someone else’s', () => {
    expect(reconciled(edit, { ...BASE, files: { image: 'new.png' } })).toEqual({ kind: 'conflict' });
  });

  test('that may be one’s own does not conflict with another file that someone replaced', () => {
    const theirs = { ...BASE, files: { image: 'stored.png', catalog: 'theirs.pdf' } };
    expect(reconciled(edit, theirs, ['attempt'])).toMatchObject({ kind: 'go', merged: ['catalog'] });
  });
});

describe('a deletion', () => {
  const deletion = { op: 'delete', resource: 'partners', recordId: '7', base: BASE } as const;

  test('without a base is a conflict: nobody has seen what it would delete', () => {
    const { base: _, ...bare } = deletion;
    expect(reconciled(bare, BASE)).toEqual({ kind: 'conflict' });
  });

  test.each([
    ['a text', { values: { name: 'Acme' } }],
    ['the images', { imageIds: undefined }],
    ['a single file', { files: { image: 'old.png' } }],
    ['every single file', { files: undefined }],
  ])('that has not seen %s of the record is a conflict', (_what, unseen) => {
    const { imageIds, files, ...seen } = { ...BASE, ...unseen };
    const base: Base = { ...seen, ...(imageIds && { imageIds }), ...(files && { files }) };
    expect(reconciled({ ...deletion, base }, { ...BASE, version: '2' })).toEqual({ kind: 'conflict' });
  });

  test('that has not seen what is empty deletes nothing of anyone', () => {
    const theirs = { version: '2', values: partner('Acme', ''), imageIds: [], files: { image: '' } };
    const base = { version: '1', values: { name: 'Acme' } };
    expect(reconciled({ ...deletion, base }, theirs)).toMatchObject({ kind: 'go' });
  });

  test('of an unchanged record is sent, based on the server’s record', () => {
    const theirs = { ...BASE, version: '2' };
    expect(reconciled(deletion, theirs)).toMatchObject({ kind: 'go', change: { base: { version: '2' } } });
  });

  test.each([
    ['a text', { values: partner('Acme', 'b') }],
    ['an added image', { imageIds: [4, 5, 6] }],
    ['a removed image', { imageIds: [4] }],
    ['another file', { files: { image: 'old.png', catalog: 'theirs.pdf' } }],
  ])('of a record changed since by %s is a conflict', (_what, changed) => {
    expect(reconciled(deletion, { ...BASE, ...changed, version: '2' })).toEqual({ kind: 'conflict' });
    const { version: _, ...unversioned } = BASE;
    expect(reconciled({ ...deletion, base: unversioned }, { ...unversioned, ...changed })).toEqual({
      kind: 'conflict',
    });
  });
});

describe('the removal of an image', () => {
  const removal = { op: 'delete-image', resource: 'partners', recordId: '7', imageId: 4, image: 'x.png' } as const;

  test('is sent when only texts and other files have changed', () => {
    const theirs = { ...BASE, values: partner('Other', 'b'), files: { image: 'theirs.png' } };
    expect(reconciled({ ...removal, base: BASE }, theirs)).toMatchObject({ kind: 'go' });
  });

  test('conflicts when the images have changed, and is done when the image is gone', () => {
    expect(reconciled({ ...removal, base: BASE }, { ...BASE, imageIds: [4, 5, 6] })).toEqual({ kind: 'conflict' });
    expect(reconciled({ ...removal, base: BASE }, { ...BASE, imageIds: [5, 6] })).toEqual({ kind: 'gone' });
  });

  test('without a base, or from where only that image was seen, is sent, based on the server’s record', () => {
    expect(reconciled(removal, BASE)).toMatchObject({ kind: 'go', change: { base: BASE } });
    const base = { values: partner('Acme', 'a') };
    expect(reconciled({ ...removal, base }, BASE)).toMatchObject({ kind: 'go', change: { base: BASE } });
  });
});
