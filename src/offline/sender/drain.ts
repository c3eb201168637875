import { isExported } from '../../domain/outbox/delivery.ts';
import { isForWifi } from '../../domain/outbox/progress.ts';
import { apply } from '../../domain/outbox/lifecycle.ts';
import { FOREIGN } from '../../domain/outbox/classify.ts';
import { isSetBack, next } from '../../domain/outbox/scheduler.ts';
import { companions } from '../../domain/outbox/together.ts';
import type { Travel } from '../../domain/outbox/uploads.ts';
import { type OutboxEntry, type QueuePause, recordKey } from '../../domain/outbox/vocabulary.ts';
import { sendTogether, type UnderWay, untilAnswered } from './batch.ts';
import { openAttempt, type ReadyChange, prepareAhead, runAttempt } from './attempt.ts';
import { seesNoCookie } from './anti-forgery.ts';
import type { Environment } from '../storage/environment.ts';
import { handoverSignal } from './worker-handover.ts';
import { asOnlySender } from './lease.ts';
import { readMeta, type Session } from '../storage/meta.ts';
import { withinQuota } from '../storage/quota.ts';
import { unfinished } from '../storage/outbox-database.ts';
import { transact } from '../storage/transactions.ts';
import { deferAfterError, pauseFor, type Sender, underFence } from './sender.ts';
import { reachServer } from './server-kind.ts';
import { readTravel } from '../storage/uploads.ts';
import { stageStep } from './stage.ts';
import { byThisClock, steady } from '../storage/steady.ts';
import { settleDelete, settleSurely } from './settle-delete.ts';
import { collectGarbage } from './garbage-collect.ts';
import { keepWithinBounds } from '../storage/kept-files.ts';

/** How a drain ended. */
export interface Drained {
  /**
   * When the next work is due, in epoch milliseconds. Now, for a worker that makes way or has to stop; `Infinity` if the
   * rest waits for another kind of link.
   */
  readonly until?: number;
  /** Another page or worker is sending, or has been asked to. */
  readonly elsewhere?: boolean;
}

interface Run {
  again: boolean;
  /** The time after which nothing starts, in epoch milliseconds. */
  stopAt: number;
  result: Promise<Drained>;
}

const running = new WeakMap<Environment, Run>();

/**
 * Sends pending changes in order until none can be sent now. A call during a drain joins it: the drain checks the queue once
 * more before it ends. Nothing starts after `stopAt` (epoch milliseconds); the earliest `stopAt` of all callers wins. Never
 * throws because of a server or a link; throws StorageFullError on a full device, and what else the storage throws.
 */
export function drain(environment: Environment, stopAt = Number.POSITIVE_INFINITY): Promise<Drained> {
  const current = running.get(environment);
  if (current !== undefined) {
    current.again = true;
    current.stopAt = Math.min(current.stopAt, stopAt);
    return current.result;
  }
  const run: Run = { again: false, stopAt, result: Promise.resolve({}) };
  running.set(environment, run);
  run.result = drainUntilQuiet(environment, run);
  return run.result;
}

async function drainUntilQuiet(environment: Environment, run: Run): Promise<Drained> {
  const stops = () => handoverSignal(environment).aborted || environment.now() >= run.stopAt;
  try {
    let drained: Drained;
    do {
      run.again = false;
      // a sender writes little: on a full device, evicting the cache makes enough room
      const send = () => asOnlySender(environment, (fence) => drainUnder(environment, fence, stops));
      drained = (await withinQuota(environment, 0, send)) ?? { elsewhere: true };
      if (!run.again) await withinQuota(environment, 0, () => tidy(environment));
    } while (run.again);
    return drained;
  } finally {
    // synchronous with the last check of `again`, so no call can slip in between
    running.delete(environment);
  }
}

async function tidy(environment: Environment): Promise<void> {
  await collectGarbage(environment.outbox, environment.now());
  await keepWithinBounds(environment);
}

/** A server that changes what it stages more often in one drain is not asked without a pause. */
const MOST_SERVERS = 2;

/** A snapshot of the queue. Entries are upcast to the current shape. */
type Look = readonly [
  entries: readonly OutboxEntry[],
  pause: QueuePause | undefined,
  session: Session | undefined,
  travel: Travel | undefined,
];

async function drainUnder(environment: Environment, fence: number, stops: () => boolean): Promise<Drained> {
  const way: UnderWay = { batches: [], most: 1 };
  try {
    const drained = await drainSteps(environment, fence, stops, way);
    await untilAnswered(way);
    return drained;
  } finally {
    await Promise.allSettled(way.batches);
  }
}

async function drainSteps(
  environment: Environment,
  fence: number,
  stops: () => boolean,
  way: UnderWay,
): Promise<Drained> {
  let others = 0;
  for (;;) {
    const [stored, pause, session, travel] = await look(environment);
    const entries = stored.map((entry) => byThisClock(environment, entry));
    const queue = { entries, pause, administrator: session?.administrator, travel };
    const now = steady(environment);
    const late = entries.filter((entry) => isSetBack(entry, now));
    if (late.length > 0) {
      await waitAnew(environment, fence, late);
      continue;
    }
    const step = next(queue, now);
    // only another batch may start while a batch is in flight
    if (way.batches.length > 0 && step.do !== 'send') {
      await untilAnswered(way);
      continue;
    }
    if (step.do === 'wait') return { until: environment.now() + step.until - now };
    if (step.do === 'idle' || session === undefined) return resting(entries, travel);
    if (stops()) return { until: environment.now() };
    const isHere = step.do === 'settle' && step.neverSent && !step.moot.some(isExported);
    if (isHere) {
      await settleDelete({ environment, fence }, step);
      continue;
    }
    const sender = await reach({ environment, fence, session, stops, travel }, pause);
    if (sender === undefined) continue;
    if (sender.server.staging?.fromBytes !== travel?.fromBytes) {
      // another server may stage other files: the next snapshot accounts for that, unless they alternate
      if ((others += 1) > MOST_SERVERS) await underFence(sender, () => pauseFor(sender, FOREIGN, false));
      continue;
    }
    if (await seesNoCookie(environment, sender.server, session.token)) return handedOver(environment);
    // only once the server can be reached: until then the delete can still be undone, and earlier changes would go out after all
    if (step.do === 'settle') await settleSurely(sender, step);
    else if (step.do === 'stage') await stageStep(sender, step.entry, step.file);
    else if (!(await sendTogether(sender, way, () => companions(queue, steady(environment))))) {
      if (way.batches.length > 0) await untilAnswered(way);
      else await sendInRow(sender, entries, step.entry);
    }
  }
}

/** Lets waits begin anew that seem to begin in the future. */
async function waitAnew(environment: Environment, fence: number, entries: readonly OutboxEntry[]): Promise<void> {
  const { outbox } = environment;
  const event = { event: 'set-back', now: steady(environment) } as const;
  await underFence({ environment, fence }, () => outbox.entries.bulkPut(entries.map((entry) => apply(entry, event))));
}

/** Nothing can go over this link. Changes that wait for Wi-Fi go when the browser reports another one. */
function resting(entries: readonly OutboxEntry[], travel: Travel | undefined): Drained {
  return entries.some((entry) => isForWifi(entry, travel)) ? { until: Number.POSITIVE_INFINITY } : {};
}

function handedOver({ handOver }: Environment): Drained {
  handOver?.();
  return { elsewhere: true };
}

async function look(environment: Environment): Promise<Look> {
  const { outbox } = environment;
  return transact(outbox, 'r', [outbox.entries, outbox.meta], async () =>
    // concurrently: in sequence, each would cost a round trip to the database
    Promise.all([unfinished(outbox), readMeta(outbox, 'pause'), readMeta(outbox, 'session'), readTravel(environment)]),
  );
}

/** A sender for the server in reach. Returns undefined and pauses the queue if there is none. */
async function reach(sender: Omit<Sender, 'server'>, pause: QueuePause | undefined): Promise<Sender | undefined> {
  const { environment, session } = sender;
  const reached = await reachServer(environment, pause, session.token);
  if ('server' in reached) return { ...sender, server: reached.server };
  await underFence(sender, () => pauseFor(sender, reached.fault, false));
  return undefined;
}

/** Sends changes one by one for as long as each succeeds, and opens the next one's files meanwhile. */
async function sendInRow(sender: Sender, entries: readonly OutboxEntry[], first: OutboxEntry): Promise<void> {
  let entry = first;
  let rest = entries;
  try {
    let attempt = await openAttempt(sender, entry);
    while (attempt !== undefined) {
      const { sending } = attempt;
      rest = rest.filter(({ id }) => id !== sending.id);
      const upcoming = following(sender, rest, sending);
      attempt = await runAttempt(sender, attempt, ahead(sender, upcoming));
      entry = attempt?.sending ?? entry;
    }
  } catch (failure) {
    // a change that cannot even be attempted must not block the others
    await deferAfterError(sender, entry, failure);
  }
}

/** The change that follows if the one in flight succeeds. A change of the same record has to wait for its outcome. */
function following(
  { environment, session, travel }: Sender,
  rest: readonly OutboxEntry[],
  sending: OutboxEntry,
): OutboxEntry | undefined {
  const { administrator } = session;
  const step = next({ entries: rest, pause: undefined, administrator, travel }, steady(environment));
  if (step.do !== 'send' || recordKey(step.entry.change) === recordKey(sending.change)) return undefined;
  return step.entry;
}

async function ahead(sender: Sender, entry: OutboxEntry | undefined): Promise<ReadyChange | undefined> {
  return entry && prepareAhead(sender, entry);
}
