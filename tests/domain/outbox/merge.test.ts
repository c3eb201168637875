import { describe, expect, test } from 'vitest';
import { mergeOf } from '../../../src/domain/outbox/merge.ts';
import { type Change, ENTRY_SCHEMA, type OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import { creating, deleting, editing, entryOf, fileOf, NOW, partner } from './samples.ts';

const later = editing('7', partner('Acme Ltd'), partner('Acme GmbH'), '1');

function merging(change: Change, entries: readonly OutboxEntry[], administrator = '1') {
  return mergeOf(change, entries, administrator);
}

describe('a later edit', () => {
  test('merges into an edit that was never attempted, which keeps its first base', () => {
    const earlier = entryOf(editing('7', partner('Acme'), partner('Acme Ltd'), '1'));
    expect(merging(later, [earlier])).toMatchObject({
      into: earlier,
      change: { op: 'update', values: partner('Acme GmbH'), base: { values: partner('Acme') } },
    });
  });

  test('keeps what the earlier edit changed after its form was opened', () => {
    const earlier = entryOf(editing('7', partner('Acme', 'a'), partner('Acme Ltd', 'a'), '1'));
    const opened = editing('7', partner('Acme', 'a'), partner('Acme', 'b'), '1');
    expect(merging(opened, [earlier])?.change).toMatchObject({ values: partner('Acme Ltd', 'b') });
  });

  test('does not merge into an entry that only a newer version of the app can read', () => {
    const newer = entryOf(editing('7', partner('Acme'), partner('Acme Ltd'), '1'), { schema: ENTRY_SCHEMA + 1 });
    expect(merging(later, [newer])).toBeUndefined();
  });

  test('stays separate when the earlier edit took over a value that its own form never showed', () => {
    const earlier = entryOf(editing('7', partner('Theirs'), partner('Theirs'), '1'));
    const unaware = editing('7', partner('Acme'), partner('Acme Ltd'), '1');
    const aware = editing('7', partner('Theirs'), partner('Acme Ltd'), '1');
    expect(merging(unaware, [earlier])).toBeUndefined();
    expect(merging(aware, [earlier])?.change).toMatchObject({ values: partner('Acme Ltd') });
  });

  test('merges into a create that was never attempted', () => {
    const create = entryOf(creating('local-1'));
    const edit = editing('local-1', partner('Acme'), partner('Acme Ltd'));
    expect(merging(edit, [create])).toMatchObject({
      into: create,
      change: { op: 'create', values: partner('Acme Ltd') },
    });
  });

  test.each<[string, Partial<OutboxEntry>]>([
    ['is on its way', { state: 'sending', attempts: 1 }],
    ['was attempted', { state: 'pending', attempts: 1, delivery: ['attempt'] }],
    ['was refused', { state: 'attention', attempts: 1 }],
    ['waits after a server error', { state: 'pending', notBefore: NOW }],
  ])('stays separate behind an edit that %s', (_why, more) => {
    expect(merging(later, [entryOf(editing('7', partner('Acme'), partner('Acme Ltd'), '1'), more)])).toBeUndefined();
  });

  test('stays separate unless it follows the record’s last change', () => {
    const earlier = entryOf(editing('7', partner('Acme'), partner('Acme Ltd'), '1'));
    expect(merging(later, [earlier, entryOf(deleting('7'))])).toBeUndefined();
  });

  test('never merges into another record’s or another administrator’s change', () => {
    const elsewhere = entryOf(editing('8', partner('Acme'), partner('Acme Ltd'), '1'));
    const theirs = entryOf(editing('7', partner('Acme'), partner('Acme Ltd'), '1'), { administrator: '2' });
    expect(merging(later, [elsewhere])).toBeUndefined();
    expect(merging(later, [theirs])).toBeUndefined();
  });

  test('merges however many files both have, since the transport splits them', () => {
    const files = Array.from({ length: 15 }, (_, index) => fileOf(`photo-${index}`));
    const generator = { ...later, resource: 'generators' } as const;
    const earlier = entryOf({ ...generator, files });
    expect(merging({ ...generator, files }, [earlier])?.change).toMatchObject({ files: { length: 30 } });
  });
});

test('sends site settings once when they are saved twice before sending', () => {
  const settings = (title: string): Change => ({
    op: 'update',
    resource: 'site-meta',
    recordId: '1',
    files: [],
    values: { title },
    base: { values: {}, imageIds: [] },
  });
  const earlier = entryOf(settings('one'));
  expect(merging(settings('two'), [earlier])).toMatchObject({ into: earlier, change: { values: { title: 'two' } } });
});

test('a later single file replaces the earlier one, while images add up', () => {
  const [old, renewed, photo, other] = [fileOf('a', 'catalog'), fileOf('b', 'catalog'), fileOf('c'), fileOf('d')];
  const generator = { ...later, resource: 'generators' } as const;
  const earlier = entryOf({ ...generator, files: [old, photo] });
  expect(merging({ ...generator, files: [renewed, other] }, [earlier])).toMatchObject({
    change: { files: [photo, renewed, other] },
    replaced: [old],
  });
});
