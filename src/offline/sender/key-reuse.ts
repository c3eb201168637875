import { type FileReference, filesOf, type OutboxEntry, type UpdateChange } from '../../domain/outbox/vocabulary.ts';
import { matched } from '../../domain/protocol/read-back/stored-files.ts';
import type { ServerRecord } from '../../domain/resource.ts';
import { resourceOf } from '../../domain/resources/index.ts';
import { laidOverSent } from '../../domain/outbox/rebase.ts';
import { type CreateEntry, isCreate, repairsOf } from '../outbox/confirm.ts';
import { answerTo, CANNOT_TELL, waiting } from './keyed.ts';
import { ReadFault, type ReceivedFile, readerOf, receivedFiles } from './reading.ts';
import type { Finding, Sender } from './sender.ts';

/**
 * Handles key reuse: the server already applied another payload under this key. The change arrived as it was first sent and was
 * repaired afterwards, here or on a device that imported it. The repair continues as an edit of its own, with the files that
 * the server lacks.
 */
export async function keyReused(sender: Sender, sending: OutboxEntry): Promise<Finding> {
  try {
    return await (isCreate(sending) ? createReused(sender, sending) : editReused(sender, sending));
  } catch (failure) {
    if (failure instanceof ReadFault) return { do: 'settle', outcome: failure.outcome };
    throw failure;
  }
}

/** Learns the record's id from the key: another record may look the same. */
async function createReused(sender: Sender, sending: CreateEntry): Promise<Finding> {
  const outcome = (sender.server.changesByKey ? await answerTo(sender, sending) : undefined) ?? CANNOT_TELL;
  if (outcome.kind !== 'done' || outcome.serverId === undefined) return { do: 'settle', outcome: waiting(outcome) };
  const { serverId } = outcome;
  const { change } = sending;
  const files = await missingFrom(sender, { ...change, recordId: String(serverId) }, []);
  return {
    do: 'finish',
    receipt: { at: sender.environment.now(), message: 'It had already arrived.', serverId },
    follower: { change: repairsOf(sending, files), delivery: [] },
  };
}

async function editReused(sender: Sender, { change, earlier }: OutboxEntry): Promise<Finding> {
  const idempotencyKey = sender.environment.uuid();
  if (change.op !== 'update') return { do: 'report', event: { event: 'key-reused', change, idempotencyKey } };
  const files = await missingFrom(sender, change, change.base.imageIds, earlier && filesOf({ change: earlier }));
  const rest = { ...(earlier === undefined ? change : laidOverSent(change, earlier)), files };
  return { do: 'report', event: { event: 'key-reused', change: rest, idempotencyKey } };
}

/** The files of the change that the record lacks. All of them if the record is gone, which the next attempt reports. */
async function missingFrom(
  sender: Sender,
  { resource, recordId, files }: Pick<UpdateChange, 'resource' | 'recordId' | 'files'>,
  knownImages: readonly number[] = [],
  sent?: readonly FileReference[],
): Promise<readonly FileReference[]> {
  if (files.length === 0) return [];
  const record = await readerOf(sender).record(resourceOf(resource), recordId);
  return record === undefined ? files : lackedFiles(files, record, knownImages, sent);
}

/**
 * The files of a change that the record lacks, by the hashes under which files were received. `knownImages` were there before. A
 * later image that matches none of the files was lost on this device and attached again with other bytes: it stands for one of
 * them. So does a known image with the bytes of a file in `sent`: that file had already arrived.
 */
export function lackedFiles(
  files: readonly FileReference[],
  record: ServerRecord,
  knownImages: readonly number[],
  sent: readonly FileReference[] = [],
): FileReference[] {
  const received = receivedFiles(record);
  const { missing } = matched(files, received);
  const others = received.filter((there) => isImage(there) && !files.some(({ sha256 }) => sha256 === there.sha256));
  const isKnown = ({ name }: ReceivedFile) =>
    record.images?.some(({ id, image }) => image === name && knownImages.includes(id));
  const fresh = others.filter((there) => !isKnown(there));
  const stoodFor = missing.filter(isImage).slice(0, Math.max(fresh.length, matched(sent, others).there.length));
  return missing.filter((file) => !stoodFor.includes(file));
}

function isImage({ field }: { readonly field: string }): boolean {
  return field === 'images';
}
