import { describe, expect, test } from 'vitest';
import { enqueue } from '../../src/offline/outbox/enqueue.ts';
import { editOf, generatorDraft } from './support/drafts.ts';
import { cut, OfflineWorld } from './support/offline-world.ts';

/** A create whose answer was lost, and a waiting edit of it. */
async function inDoubt() {
  const world = await OfflineWorld.begin();
  const created = await world.save(generatorDraft('doubtful'));
  world.answerChanges(cut);
  await world.drain();
  const edited = await world.save(editOf(created, { capacity: '1 kVA' }));
  return { world, created, edited };
}

const removal = (recordId: string) => ({ op: 'delete', resource: 'generators', recordId }) as const;

describe('a second edit of a create whose answer was lost', () => {
  test('merges into the first one', async () => {
    const { world, created, edited } = await inDoubt();
    expect((await world.save(editOf(created, { capacity: '2 kVA' }))).id).toBe(edited.id);
  });

  test('takes its latest title', async () => {
    const { world, created } = await inDoubt();
    const about = { administrator: world.me.id, title: 'Renamed' };
    const edited = await enqueue(world.page, editOf(created, { capacity: '2 kVA' }), about);
    expect(edited.title).toBe('Renamed');
    expect((await world.waiting()).map(({ title }) => title)).toEqual(['Title', 'Renamed']);
  });

  test('stays behind the removal of a row that may be its record', async () => {
    const { world, created, edited } = await inDoubt();
    const removed = await world.save(removal('7'));
    const later = await world.save(editOf(created, { capacity: '2 kVA' }));
    expect(later.id).not.toBe(edited.id);
    expect(later.sequence).toBeGreaterThan(removed.sequence);
  });

  test('merges into the first one when the removed row is of another kind, or was removed earlier', async () => {
    const { world, created } = await inDoubt();
    await world.save({ op: 'delete', resource: 'partners', recordId: '7' });
    const first = await world.save(removal('8'));
    const edited = await world.save(editOf(created, { capacity: '2 kVA' }));
    expect(edited.sequence).toBeGreaterThan(first.sequence);
    expect((await world.save(editOf(created, { capacity: '3 kVA' }))).id).toBe(edited.id);
  });
});
