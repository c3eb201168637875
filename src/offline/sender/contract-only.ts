import { mayBeDelivered } from '../../domain/outbox/delivery.ts';
import type { CreateChange, OutboxEntry, SaveSettingsChange } from '../../domain/outbox/vocabulary.ts';
import { resourceOf } from '../../domain/resources/index.ts';
import { foundAlready, withoutArrivedImages } from './arrived-images.ts';
import { compareWithServer } from './preflight.ts';
import { arrived, cannotTell, creatorsAreKnown, mayStillArrive, readBack, waitForArrival } from './read-back.ts';
import { readRows } from './reading.ts';
import type { Sender } from './sender.ts';

/**
 * A stock back end knows no keys and no versions, and a create's answer has no id. So before a change is sent, or sent
 * again, the server is read. Undefined when it is not to be sent now.
 */
export async function prepareByReading(sender: Sender, entry: OutboxEntry): Promise<OutboxEntry | undefined> {
  const { change } = entry;
  if (!(await creatorsAreKnown(sender, entry))) return undefined;
  switch (change.op) {
    case 'create':
      return isFirstAttempt(entry) ? noteKnownIds(sender, entry, change) : readBack(sender, entry, change);
    case 'update':
      return prepareUpdate(sender, entry);
    case 'save-settings':
      return prepareSettings(sender, entry, change);
    case 'delete':
    case 'delete-image':
      return change.base === undefined ? entry : compareWithServer(sender, entry, change);
    default:
      return change satisfies never;
  }
}

function isFirstAttempt(entry: OutboxEntry): boolean {
  return entry.attempts === 0 && !mayBeDelivered(entry) && entry.acceptedMessage === undefined;
}

async function noteKnownIds(
  sender: Sender,
  entry: OutboxEntry,
  change: CreateChange,
): Promise<OutboxEntry | undefined> {
  const reading = await readRows(sender, resourceOf(change.resource));
  if (reading.kind === 'found') return { ...entry, baselineIds: reading.value.map(({ id }) => id) };
  return void (await cannotTell(sender, entry, reading));
}

async function prepareUpdate(sender: Sender, entry: OutboxEntry): Promise<OutboxEntry | undefined> {
  const compared = entry.change.op === 'update' ? await compareWithServer(sender, entry, entry.change) : undefined;
  if (compared === undefined) return undefined;
  const images = await withoutArrivedImages(sender, compared);
  if (images.kind !== 'found') return void (await cannotTell(sender, entry, images));
  const ready = images.value;
  return unlessArrived(sender, entry, ready);
}

async function prepareSettings(
  sender: Sender,
  entry: OutboxEntry,
  change: SaveSettingsChange,
): Promise<OutboxEntry | undefined> {
  const compared = await compareWithServer(sender, entry, change);
  return compared === undefined ? undefined : unlessArrived(sender, entry, compared);
}

/**
 * In doubt, what is all there is done. Else the first request may still be on its way: a repeat could be overtaken by it, and
 * with it whatever was saved after.
 */
async function unlessArrived(sender: Sender, entry: OutboxEntry, ready: OutboxEntry): Promise<OutboxEntry | undefined> {
  if (!mayBeDelivered(entry)) return ready;
  if (foundAlready(ready)) return void (await arrived(sender, entry));
  return mayStillArrive(sender, entry) ? void (await waitForArrival(sender, entry)) : ready;
}
