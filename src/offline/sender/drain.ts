import { isForWifi } from '../../domain/outbox/progress.ts';
import { next } from '../../domain/outbox/scheduler.ts';
import { companions } from '../../domain/outbox/together.ts';
import type { Travel } from '../../domain/outbox/uploads.ts';
import { type OutboxEntry, type QueuePause, recordKey } from '../../domain/outbox/vocabulary.ts';
import { sendTogether, type UnderWay, untilAnswered } from './batch.ts';
import { openTurn, type Prepared, prepareAhead, runTurn } from './attempt.ts';
import { seesNoCookie } from './anti-forgery.ts';
import type { Environment } from '../storage/environment.ts';
import { relieved } from './worker-handover.ts';
import { asOnlySender, FencedOffError } from './lease.ts';
import { readMeta, type Session } from '../storage/meta.ts';
import { withinQuota } from '../storage/quota.ts';
import { unfinished } from '../storage/outbox-database.ts';
import { transact } from '../storage/transactions.ts';
import { deferAfterError, pauseFor, type Sender, underFence } from './sender.ts';
import { reachServer } from './server-kind.ts';
import { readTravel } from '../storage/uploads.ts';
import { stageStep } from './stage.ts';
import { settleDelete } from './settle-delete.ts';
import { tidy } from './garbage-collect.ts';

/** How a drain ended. */
export interface Drained {
  /**
   * When there will be something to do by itself, in epoch milliseconds. Now, for a worker that gives way or has to stop; `Infinity`
   * where it takes another link.
   */
  readonly until?: number;
  /** Another page or worker is sending, or was asked to. */
  readonly elsewhere?: boolean;
}

interface Run {
  again: boolean;
  /** From when on nothing is begun, in epoch milliseconds. */
  stopAt: number;
  result: Promise<Drained>;
}

const running = new WeakMap<Environment, Run>();

/**
 * Sends what waits, in order, until nothing can be sent now. Calls during a drain are taken into it: it looks once more
 * before it ends. Nothing is begun from `stopAt` (epoch milliseconds) on, the earliest of those of its calls. Never throws for
 * what a server or a link does; throws StorageFullError on a full device.
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
  const stops = () => relieved(environment).aborted || environment.now() >= run.stopAt;
  try {
    let drained: Drained;
    do {
      run.again = false;
      // whatever a sender writes is small: on a full device the cache makes room for it
      const send = () => asOnlySender(environment, (fence) => drainUnder(environment, fence, stops));
      drained = (await withinQuota(environment, 0, send)) ?? { elsewhere: true };
      if (!run.again) await withinQuota(environment, 0, () => tidy(environment.outbox, environment.now()));
    } while (run.again);
    return drained;
  } finally {
    // in the same step as the last look at `again`: no call can come between
    running.delete(environment);
  }
}

/** The whole queue at one moment. Entries are in today's shape. */
type Look = readonly [
  entries: readonly OutboxEntry[],
  pause: QueuePause | undefined,
  session: Session | undefined,
  travel: Travel | undefined,
];

async function drainUnder(environment: Environment, fence: number, stops: () => boolean): Promise<Drained> {
  const way: UnderWay = { batches: [], most: 1 };
  try {
    const drained = await drainTurns(environment, fence, stops, way);
    await untilAnswered(way);
    return drained;
  } finally {
    await Promise.allSettled(way.batches);
  }
}

async function drainTurns(
  environment: Environment,
  fence: number,
  stops: () => boolean,
  way: UnderWay,
): Promise<Drained> {
  for (;;) {
    const [entries, pause, session, travel] = await look(environment);
    const queue = { entries, pause, administrator: session?.administrator, travel };
    const step = next(queue, environment.now());
    // beside a batch under way nothing goes but the next batch
    if (way.batches.length > 0 && step.do !== 'send') {
      await untilAnswered(way);
      continue;
    }
    if (step.do === 'wait') return { until: step.until };
    if (step.do === 'idle' || session === undefined) return resting(entries, travel);
    if (stops()) return { until: environment.now() };
    if (step.do === 'settle' && step.neverSent) {
      await settleDelete({ environment, fence }, step);
      continue;
    }
    const sender = await reach({ environment, fence, session, stops, travel }, pause);
    // what travels first is another question with another server: the next look knows
    if (sender === undefined || sender.server.staging?.fromBytes !== travel?.fromBytes) continue;
    if (await seesNoCookie(environment, sender.server, session.token)) return handedOver(environment);
    // not before the server is there: until then the delete can be undone, and what came before it is to be sent after all
    if (step.do === 'settle') await settleDelete(sender, step);
    else if (step.do === 'stage') await stageStep(sender, step.entry, step.file);
    else if (!(await sendTogether(sender, way, () => companions(queue, environment.now())))) {
      if (way.batches.length > 0) await untilAnswered(way);
      else await sendInRow(sender, entries, step.entry);
    }
  }
}

/** Nothing goes over this link. What waits for Wi-Fi goes when the browser wakes the sender for another one. */
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
    // side by side: one after the other, each costs a trip to the database
    Promise.all([unfinished(outbox), readMeta(outbox, 'pause'), readMeta(outbox, 'session'), readTravel(environment)]),
  );
}

/** A sender for the server there is. Undefined when none is to be reached: the queue then pauses. */
async function reach(sender: Omit<Sender, 'server'>, pause: QueuePause | undefined): Promise<Sender | undefined> {
  const { environment, session } = sender;
  const reached = await reachServer(environment, pause, session.token);
  if ('server' in reached) return { ...sender, server: reached.server };
  await underFence(sender, () => pauseFor(sender, reached.fault, false));
  return undefined;
}

/** Sends one change after the other for as long as each simply succeeds; the next one's files are opened meanwhile. */
async function sendInRow(sender: Sender, entries: readonly OutboxEntry[], first: OutboxEntry): Promise<void> {
  let entry = first;
  let rest = entries;
  try {
    let turn = await openTurn(sender, entry);
    while (turn !== undefined) {
      const { sending } = turn;
      rest = rest.filter(({ id }) => id !== sending.id);
      const upcoming = following(sender, rest, sending);
      turn = await runTurn(sender, turn, ahead(sender, upcoming));
      entry = turn?.sending ?? entry;
    }
  } catch (failure) {
    if (failure instanceof FencedOffError) throw failure;
    // a change that cannot even be tried must not stop the others
    await deferAfterError(sender, entry, failure);
  }
}

/** The change that comes next if the one under way succeeds. One of the same record has to wait for what that brings. */
function following(
  { environment, session, travel }: Sender,
  rest: readonly OutboxEntry[],
  sending: OutboxEntry,
): OutboxEntry | undefined {
  const { administrator } = session;
  const step = next({ entries: rest, pause: undefined, administrator, travel }, environment.now());
  if (step.do !== 'send' || recordKey(step.entry.change) === recordKey(sending.change)) return undefined;
  return step.entry;
}

async function ahead(sender: Sender, entry: OutboxEntry | undefined): Promise<Prepared | undefined> {
  return entry && prepareAhead(sender, entry);
}
