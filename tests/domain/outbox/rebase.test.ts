import { describe, expect, test } from 'vitest';
import {
  afterConfirmed,
  afterDiscarded,
  discardedBehind,
  withoutDiscarded,
} from '../../../src/domain/outbox/rebase.ts';
import type { Base, OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import { creating, deleting, editing, entryOf, fileOf, partner } from './samples.ts';

const first = entryOf(editing('7', partner('Acme', 'a'), partner('Acme Ltd', 'a'), '1'));
const second = entryOf(editing('7', partner('Acme Ltd', 'a'), partner('Acme Ltd', 'b'), '1'));

function baseOf({ change }: OutboxEntry): Base | undefined {
  return 'base' in change ? change.base : undefined;
}

describe('after an earlier change was confirmed', () => {
  test('a later edit is based on the new version', () => {
    const later = afterConfirmed(second, first, { version: '2' });
    expect(later.change).toMatchObject({ values: partner('Acme Ltd', 'b'), base: { version: '2' } });
  });

  test('the server id of a create replaces the local id', () => {
    const create = entryOf(creating('local-1', partner('Acme', 'a')));
    const edit = entryOf(editing('local-1', partner('Acme', 'a'), partner('Acme', 'b')));
    const later = afterConfirmed(edit, create, { serverId: 12, version: '1' });
    expect(later.change).toMatchObject({ recordId: '12', base: { version: '1' } });
  });

  test('a delete without a base gets the server id, and is based on what was created', () => {
    const logo = fileOf('logo', 'image');
    const create = entryOf({ ...creating('local-1', partner('Acme', 'a')), files: [logo] } as OutboxEntry['change']);
    const deletion = entryOf(deleting('local-1'));
    const later = afterConfirmed(deletion, create, { serverId: 12, version: '1' });
    const ownFiles = { image: [logo.sha256] };
    const base = { version: '1', values: partner('Acme', 'a'), imageIds: [], files: {}, ownFiles };
    expect(later).toEqual({ ...deletion, change: { ...deleting('12'), base } });
  });

  test('a delete of a record without a base is not based on someone’s edit', () => {
    expect(afterConfirmed(entryOf(deleting('7')), first, { version: '2' }).change).toEqual(deleting('7'));
  });

  describe('the new version is not taken', () => {
    const rebased = (more: Partial<Base>) =>
      entryOf({ ...editing('7', partner('A', 'b'), partner('B', 'b')), base: { version: '2', values: {}, ...more } });
    const behind = (change: OutboxEntry['change']) =>
      baseOf(
        afterConfirmed(entryOf(change), rebased({ imageIds: [1, 2], files: { image: 'theirs.png' } }), {
          version: '3',
        }),
      );
    const seen = { version: '1', values: partner('B', 'b'), imageIds: [1], files: { image: 'old.png' } };

    test.each([
      ['an image', { imageIds: [1], files: { image: 'theirs.png' } }],
      ['a single file', { imageIds: [1, 2] }],
    ])('by a delete behind an edit that was rebased over %s of someone else', (_what, more) => {
      expect(behind({ ...deleting('7'), base: { ...seen, ...more } } as OutboxEntry['change'])?.version).toBe('1');
    });

    test('by a picture behind an edit that was rebased over someone else’s', () => {
      const edit = editing('7', partner('B', 'b'), partner('B', 'c'));
      expect(behind({ ...edit, base: seen, files: [fileOf('mine', 'image')] })?.version).toBe('1');
      expect(behind({ ...edit, base: seen, files: [fileOf('mine')] })?.version).toBe('3');
    });
  });

  test('leaves an entry of a newer version of the app alone', () => {
    const newer = { ...second, schema: 99 };
    expect(afterConfirmed(newer, first, { version: '2' })).toBe(newer);
  });

  test('a field that the later edit did not touch takes the value that was sent', () => {
    const sent = entryOf(editing('7', partner('Acme', 'a'), partner('Acme Ltd', 'theirs'), '1'));
    const edit = entryOf(editing('7', partner('Acme Ltd', 'a'), partner('Acme GmbH', 'a'), '1'));
    expect(afterConfirmed(edit, sent, { version: '3' }).change).toMatchObject({
      values: partner('Acme GmbH', 'theirs'),
      base: { values: partner('Acme Ltd', 'theirs'), version: '3' },
    });
  });

  test('forgets the name of the replaced file and of no other', () => {
    const files = { image: 'old.png', catalog: 'old.pdf' };
    const edit = { ...editing('7', partner('Acme'), partner('Acme Ltd'), '1'), files: [fileOf('new', 'image')] };
    const next = editing('7', partner('Acme Ltd'), partner('Acme GmbH'), '1');
    const later = entryOf({ ...next, base: { ...next.base, files, imageIds: [1] } });
    const base = baseOf(afterConfirmed(later, entryOf(edit), { version: '2' }));
    expect(base).toMatchObject({ version: '2', imageIds: [1] });
    expect(base?.files).toEqual({ catalog: 'old.pdf' });
    expect(base?.ownFiles).toEqual({ image: [fileOf('new').sha256] });
  });

  test('leaves a merged field that the later edit touched for the server to report as a conflict', () => {
    const sent = entryOf(editing('7', partner('Acme', 'a'), partner('Acme Ltd', 'theirs'), '1'));
    const later = afterConfirmed(second, sent, { version: '3' });
    expect(baseOf(later)).toMatchObject({ version: '1', values: partner('Acme Ltd', 'a') });
  });

  test('a deletion keeps its base version when another field was merged, and otherwise takes the new one', () => {
    const deletion = entryOf({
      ...deleting('7'),
      base: { version: '1', values: partner('Acme Ltd', 'a'), imageIds: [] },
    } as OutboxEntry['change']);
    const rebased = editing('7', partner('Acme', 'theirs'), partner('Acme Ltd', 'theirs'), '2');
    const merged = entryOf(rebased, { merged: ['link'] });
    expect(afterConfirmed(deletion, merged, { version: '3' }).change).toMatchObject(deletion.change);
    expect(baseOf(afterConfirmed(deletion, first, { version: '2' }))).toMatchObject({ version: '2' });
  });

  test('a change of another administrator keeps its base', () => {
    const theirs = { ...second, administrator: '2' };
    expect(afterConfirmed(theirs, first, { version: '2' })).toEqual(theirs);
  });

  test('removing an image provides no base version, which would hide someone else’s change', () => {
    const removal = entryOf({ op: 'delete-image', resource: 'partners', recordId: '7', imageId: 4, image: 'x.png' });
    const edit = entryOf({
      ...editing('7', partner('A'), partner('B'), '1'),
      base: { version: '1', values: partner('A'), imageIds: [4, 5] },
    });
    expect(baseOf(afterConfirmed(edit, removal, { version: '9' }))).toMatchObject({ version: '1', imageIds: [5] });
  });

  test('does not mistake its own files for someone else’s', () => {
    const change = editing('7', partner('A'), partner('A'), '1');
    const sent = entryOf({ ...change, files: [fileOf('logo', 'image'), fileOf('photo')] });
    const deletion = entryOf({
      ...deleting('7'),
      base: { values: partner('A'), imageIds: [], files: { image: 'old.png', catalog: 'kept.pdf' } },
    } as OutboxEntry['change']);
    expect(baseOf(afterConfirmed(deletion, sent, {}))).toMatchObject({
      files: { catalog: 'kept.pdf' },
      ownFiles: { image: [fileOf('logo').sha256], images: [fileOf('photo').sha256] },
    });
  });

  test('rebases an imported change too, as the other device did', () => {
    const later = afterConfirmed({ ...second, delivery: ['attempt'] }, first, { version: '2' });
    expect(later.change).toMatchObject({ base: { version: '2' } });
  });
});

describe('after an earlier change was discarded', () => {
  test('untouched fields of the later edit go back to their previous values', () => {
    expect(afterDiscarded(second, first).change).toMatchObject({
      values: partner('Acme', 'b'),
      base: { values: partner('Acme', 'a'), version: '1' },
    });
  });

  test('touched fields keep their values', () => {
    const touching = entryOf(editing('7', partner('Acme Ltd', 'a'), partner('Acme GmbH', 'a'), '1'));
    expect(afterDiscarded(touching, first).change).toMatchObject({
      values: partner('Acme GmbH', 'a'),
      base: { values: partner('Acme', 'a') },
    });
  });

  test('reverts the base of a delete too', () => {
    const deletion = entryOf({
      ...deleting('7'),
      base: { values: partner('Acme Ltd', 'a'), imageIds: [] },
    } as OutboxEntry['change']);
    expect(baseOf(afterDiscarded(deletion, first))?.values).toEqual(partner('Acme', 'a'));
  });

  test.each([
    ['older', '1', '2'],
    ['newer', '2', '1'],
  ])(
    'leaves the comparison to the device when the discarded edit is based on a version that is %s',
    (_which, given, own) => {
      const discarded = entryOf(editing('7', partner('Acme', 'a'), partner('Acme Ltd', 'a'), given));
      const later = entryOf(editing('7', partner('Acme Ltd', 'b'), partner('Acme GmbH', 'b'), own));
      const base = baseOf(afterDiscarded(later, discarded));
      expect(base?.values).toEqual(partner('Acme', 'b'));
      expect(base).not.toHaveProperty('version');
    },
  );

  test('keeps the version of an edit when nothing in it is reverted', () => {
    const newer = entryOf(editing('7', partner('Acme Inc', 'b'), partner('Acme Inc', 'c'), '2'));
    expect(baseOf(afterDiscarded(newer, first))).toMatchObject({ values: partner('Acme Inc', 'b'), version: '2' });
  });
});

describe('after earlier changes with unknown delivery were discarded', () => {
  const third = entryOf(editing('7', partner('Acme Ltd', 'b'), partner('Acme Ltd', 'c'), '1'));
  const again = entryOf(editing('7', partner('Acme Ltd', 'b'), partner('Acme GmbH', 'b'), '1'));
  const last = entryOf(editing('7', partner('Acme GmbH', 'b'), partner('Acme GmbH', 'c'), '1'));

  test('keeps a later change as it was sent until the earlier one is known not to be delivered', () => {
    const kept = discardedBehind(third, first);
    expect(kept.change).toEqual(third.change);
    expect(withoutDiscarded(kept).change).toMatchObject({ values: partner('Acme', 'c') });
    expect(withoutDiscarded(kept)).not.toHaveProperty('discarded');
  });

  test.each([
    [
      'the first of them first',
      () => discardedBehind(discardedBehind(last, first), withoutDiscarded(discardedBehind(again, first))),
    ],
    ['the second of them first', () => discardedBehind(discardedBehind(last, again), first)],
  ])('drops both from a later change, %s', (_order, given) => {
    expect(withoutDiscarded(given()).change).toMatchObject({ values: partner('Acme', 'c') });
  });

  test('leaves an entry of a newer version of the app alone', () => {
    const newer = { ...third, schema: 99 };
    expect(discardedBehind(newer, first)).toBe(newer);
  });
});
