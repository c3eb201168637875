import { expect, test } from 'vitest';
import { apply } from '../../src/domain/outbox/lifecycle.ts';
import { filesOf } from '../../src/domain/outbox/vocabulary.ts';
import { type CreateEntry, plainFollower } from '../../src/offline/outbox/confirm.ts';
import { generatorDraft } from './support/drafts.ts';
import { OfflineWorld } from './support/offline-world.ts';

test('files left over from a create may be delivered by another device if the create was exported', async () => {
  const world = await OfflineWorld.begin('contract-only');
  const entry = (await world.save(generatorDraft('rest', 25))) as CreateEntry;
  const exported = apply(entry, { event: 'export' }) as CreateEntry;
  const names = filesOf(entry).map(({ name }) => name);
  for (const [one, delivery] of [
    [entry, []],
    [exported, ['attempt']],
  ] as const) {
    const follower = plainFollower(one);
    expect(follower?.delivery).toEqual(delivery);
    expect(follower?.change.files.map(({ name }) => name)).toEqual(names.slice(20));
  }
});
