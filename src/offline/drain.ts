import { confirmed, pauseAfter } from '../domain/outbox/advance.ts';
import { next, type Step } from '../domain/outbox/order.ts';
import { afterDiscarded } from '../domain/outbox/rebase.ts';
import type { OutboxEntry, QueuePause } from '../domain/outbox/vocabulary.ts';
import { filesOf } from '../domain/outbox/overlay.ts';
import { upcast } from '../domain/outbox/upcast.ts';
import { attempt } from './attempt.ts';
import type { Environment } from './environment.ts';
import { removeFiles } from './files.ts';
import { asOnlySender } from './lease.ts';
import { readMeta, type Session, writeMeta } from './meta.ts';
import { transact, unfinished } from './outbox-db.ts';
import { underFence } from './sender.ts';
import { reachServer } from './server-kind.ts';

/** How a drain ended. */
export interface Drained {
  /** When there will be something to do by itself, in epoch milliseconds. */
  readonly until?: number;
  /** Another page or worker is sending. */
  readonly elsewhere?: boolean;
}

const running = new WeakMap<Environment, { again: boolean; result: Promise<Drained> }>();

/**
 * Sends what waits, in order, until nothing can be sent now. Calls during a drain are taken into it: it looks once more
 * before it ends. Never throws for what a server or a link does.
 */
export function drain(environment: Environment): Promise<Drained> {
  const current = running.get(environment);
  if (current !== undefined) {
    current.again = true;
    return current.result;
  }
  const state = { again: false, result: Promise.resolve<Drained>({}) };
  state.result = drainUntilQuiet(environment, state).finally(() => running.delete(environment));
  running.set(environment, state);
  return state.result;
}

async function drainUntilQuiet(environment: Environment, state: { again: boolean }): Promise<Drained> {
  let drained: Drained;
  do {
    state.again = false;
    drained = (await asOnlySender(environment, (fence) => drainUnder(environment, fence))) ?? { elsewhere: true };
  } while (state.again && !drained.elsewhere);
  return drained;
}

interface Plan {
  readonly step: Step;
  readonly pause: QueuePause | undefined;
  readonly session: Session | undefined;
}

async function drainUnder(environment: Environment, fence: number): Promise<Drained> {
  for (;;) {
    const { step, pause, session } = await plan(environment);
    if (step.do === 'wait') return { until: step.until };
    if (step.do === 'idle' || session === undefined) return {};
    if (step.do === 'settle') await settleDelete(environment, fence, step);
    else await sendOne(environment, fence, step.entry, session, pause);
  }
}

/** One look at the whole queue. */
async function plan(environment: Environment): Promise<Plan> {
  const { outbox, now } = environment;
  return transact(outbox, 'r', [outbox.entries, outbox.meta], async () => {
    const entries = (await unfinished(outbox)).map(upcast);
    const pause = await readMeta(outbox, 'pause');
    const session = await readMeta(outbox, 'session');
    return { step: next({ entries, pause, administrator: session?.administrator }, now()), pause, session };
  });
}

async function sendOne(
  environment: Environment,
  fence: number,
  entry: OutboxEntry,
  session: Session,
  pause: QueuePause | undefined,
): Promise<void> {
  const reached = environment.online()
    ? await reachServer(environment, pause, session.token)
    : { fault: { kind: 'unreachable', message: 'There is no connection.' } as const };
  if ('server' in reached) return attempt({ environment, fence, session, server: reached.server }, entry);
  await underFence({ environment, fence }, async () => {
    const after = pauseAfter(pause, reached.fault, environment.now(), environment.random());
    await writeMeta(environment.outbox, 'pause', after ?? pause);
  });
}

/**
 * A delete's time has come. What was made of the record before and surely never carried out leaves the queue with its
 * files; of a record that never reached the server, the delete is done with that.
 */
async function settleDelete(environment: Environment, fence: number, step: Step & { do: 'settle' }): Promise<void> {
  const { outbox, now } = environment;
  const { moot, deletion, neverSent } = step;
  await underFence({ environment, fence }, async () => {
    const planned = [...moot, deletion];
    const stored = await outbox.entries.bulkGet(planned.map(({ sequence }) => sequence));
    if (stored.some((entry, index) => entry?.idempotencyKey !== planned[index]?.idempotencyKey)) return;
    await outbox.entries.bulkDelete(moot.map(({ sequence }) => sequence));
    await removeFiles(outbox, moot.flatMap(filesOf));
    const receipt = { at: now(), message: 'It was removed before it was ever sent.' };
    await outbox.entries.put(neverSent ? confirmed(deletion, receipt) : moot.reduceRight(afterDiscarded, deletion));
  });
}
