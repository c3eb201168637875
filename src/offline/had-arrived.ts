import { without } from '../domain/outbox/advance.ts';
import { filesOf } from '../domain/outbox/overlay.ts';
import type { Change, OutboxEntry } from '../domain/outbox/vocabulary.ts';
import { learnNewId } from './read-back.ts';
import { entryOf } from './enqueue.ts';
import { removeFiles } from './files.ts';
import { placeBehind } from './place-behind.ts';
import { type Sender, underFence } from './sender.ts';

/**
 * The server knows the key with another payload: the change had arrived as it was first sent, and was mended since (its files were
 * lost on this device and attached again). What was mended goes on as an edit of its own, without the images that are there.
 */
export async function hadArrived(sender: Sender, sending: OutboxEntry): Promise<void> {
  const { change } = sending;
  if (change.op === 'create') {
    const { resource, recordId, values } = change;
    await addBehind(sender, sending, {
      op: 'update',
      resource,
      recordId,
      values,
      files: [],
      base: { values: {}, imageIds: [] },
    });
    return learnNewId(sender, sending, 'It had arrived.');
  }
  await goOnAs(sender, sending, change);
}

async function addBehind({ environment, fence }: Sender, sending: OutboxEntry, change: Change): Promise<void> {
  const { administrator, title, id } = sending;
  await underFence({ environment, fence }, async () => {
    const [sequence] = await placeBehind(environment.outbox, sending, 1);
    const added = entryOf(environment, environment.uuid(), change, { administrator, title });
    await environment.outbox.entries.add({ ...added, partOf: id, ...(sequence === undefined ? {} : { sequence }) });
  });
}

async function goOnAs(sender: Sender, sending: OutboxEntry, change: Change): Promise<void> {
  const { outbox, uuid } = sender.environment;
  const arrived = filesOf(sending).filter(({ field }) => field === 'images');
  const kept =
    'files' in change ? { ...change, files: change.files.filter((file) => !arrived.includes(file)) } : change;
  await underFence(sender, async () => {
    await outbox.entries.put({ ...without(sending, 'doubt'), state: 'queued', idempotencyKey: uuid(), change: kept });
    await removeFiles(outbox, arrived);
  });
}
