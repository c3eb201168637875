import { RECEIPTS_KEPT } from '../../domain/limits.ts';
import { type Identities, identityKey } from '../../domain/outbox/optimistic-view.ts';
import { isFailing } from '../../domain/outbox/status.ts';
import { isForWifi, isTravelling, type Progress, queueProgress } from '../../domain/outbox/progress.ts';
import { groupByRecord, isReadable } from '../../domain/outbox/scheduler.ts';
import type { Travel } from '../../domain/outbox/uploads.ts';
import type { OutboxEntry, QueuePause } from '../../domain/outbox/vocabulary.ts';
import { browserEnvironment } from '../storage/browser-environment.ts';
import type { Environment } from '../storage/environment.ts';
import { readMeta } from '../storage/meta.ts';
import { unfinished } from '../storage/outbox-database.ts';
import { readTravel } from '../storage/uploads.ts';
import { transact } from '../storage/transactions.ts';

/** A summary of the queue for the status chip. */
export interface QueueState {
  /** The pause of what waits. Absent if nothing does: only the next change would end the stored one. */
  readonly pause?: QueuePause;
  /** The entry being sent now. */
  readonly sendingId?: string;
  /** A file is being staged. */
  readonly travelling: boolean;
  /** Upload progress of the changes that are sent automatically, in bytes. */
  readonly progress: Progress;
  /** The state of staged files. */
  readonly travel?: Travel;
  /** Id of the administrator whose changes are sent. */
  readonly signedInAs?: string;
  /** The number of changes queued for other administrators. */
  readonly otherAdministratorsWaiting: number;
  /** The number of the signed-in administrator's unfinished changes. */
  readonly waiting: number;
  /** The number of those that need attention: refused or in conflict. */
  readonly needAttention: number;
  /** The number that wait for Wi-Fi, because of their own files or those of an earlier change of their record. */
  readonly forWifi: number;
  /** The number that the server answered with an error of its own, if any. They are retried. */
  readonly failing?: number;
  /** When a change was last attempted, in epoch milliseconds. */
  readonly lastAttemptAt?: number;
  /** The number of the signed-in administrator's confirmed changes that the server has forgotten. */
  readonly forgotten?: number;
  /** When the loss of the outbox was noticed, in epoch milliseconds. Absent once acknowledged. */
  readonly lossNoticedAt?: number;
}

/** The signed-in administrator's unfinished entries, in order. Meant for `liveQuery`. */
export async function pendingEntries(environment: Environment = browserEnvironment()): Promise<OutboxEntry[]> {
  const { outbox } = environment;
  return transact(outbox, 'r', [outbox.entries, outbox.meta], async () => {
    const session = await readMeta(outbox, 'session');
    const entries = await unfinished(outbox);
    return entries.filter(({ administrator }) => administrator === session?.administrator);
  });
}

/** The signed-in administrator's receipts, newest first. A change that is kept for longer has none any more. Meant for `liveQuery`. */
export async function receipts(environment: Environment = browserEnvironment()): Promise<OutboxEntry[]> {
  const { outbox } = environment;
  return transact(outbox, 'r', [outbox.entries, outbox.meta], async () => {
    const session = await readMeta(outbox, 'session');
    const entries = await outbox.entries.where('state').equals('done').toArray();
    const isOld = ({ receipt }: OutboxEntry) =>
      receipt?.kept !== undefined && environment.now() - receipt.at > RECEIPTS_KEPT;
    return entries
      .filter((entry) => entry.administrator === session?.administrator && !isOld(entry))
      .toSorted((one, other) => (other.receipt?.at ?? 0) - (one.receipt?.at ?? 0) || other.sequence - one.sequence);
  });
}

/** The confirmed changes of all administrators, in order: they are on the server, whoever sent them. */
export async function confirmedChanges(environment: Environment = browserEnvironment()): Promise<OutboxEntry[]> {
  const { outbox } = environment;
  return transact(outbox, 'r', [outbox.entries], () => outbox.entries.where('state').equals('done').sortBy('sequence'));
}

/** A summary of the queue. Meant for `liveQuery`. */
export async function queueState(environment: Environment = browserEnvironment()): Promise<QueueState> {
  const { outbox } = environment;
  return transact(outbox, 'r', [outbox.entries, outbox.meta], async () => {
    const session = await readMeta(outbox, 'session');
    const stored = await readMeta(outbox, 'pause');
    const lastAttemptAt = await readMeta(outbox, 'lastAttempt');
    const loss = await readMeta(outbox, 'loss');
    const kept = await readMeta(outbox, 'kept');
    const pending = await unfinished(outbox);
    const own = pending.filter(({ administrator }) => administrator === session?.administrator);
    const needAttention = own.filter(({ state }) => state === 'attention').length;
    const pause = own.length > needAttention ? stored : undefined;
    const sending = own.find(({ state }) => state === 'sending');
    const failing = own.filter((entry) => isReadable(entry) && isFailing(entry)).length;
    const travel = await readTravel(environment);
    return {
      travelling: pause === undefined && own.some((entry) => isReadable(entry) && isTravelling(entry, travel)),
      progress: queueProgress(own.filter(isReadable), travel),
      ...(travel === undefined ? {} : { travel }),
      ...(pause === undefined ? {} : { pause }),
      ...(sending === undefined ? {} : { sendingId: sending.id }),
      ...(session === undefined ? {} : { signedInAs: session.administrator }),
      otherAdministratorsWaiting: pending.length - own.length,
      waiting: own.length,
      needAttention,
      forWifi: countForWifi(own, travel),
      ...(failing === 0 ? {} : { failing }),
      forgotten: kept?.[session?.administrator ?? '']?.forgotten ?? 0,
      ...(lastAttemptAt === undefined ? {} : { lastAttemptAt }),
      ...(loss === undefined ? {} : { lossNoticedAt: loss.noticedAt }),
    };
  });
}

function countForWifi(own: readonly OutboxEntry[], travel: Travel | undefined): number {
  const records = groupByRecord(own, own[0]?.administrator ?? '');
  return records.filter(([head]) => head !== undefined && isForWifi(head, travel)).flat().length;
}

/** The server's ids by local id. Meant for `liveQuery`. */
export async function identities(environment: Environment = browserEnvironment()): Promise<Identities> {
  const { outbox } = environment;
  const rows = await transact(outbox, 'r', [outbox.identities], () => outbox.identities.toArray());
  return new Map(rows.map(({ resource, localId, serverId }) => [identityKey(resource, localId), serverId]));
}
