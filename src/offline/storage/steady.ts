import { AFTERMATH } from '../../domain/outbox/transitions.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import type { Environment } from './environment.ts';

/** Durations do not follow a clock that jumps: neither within the life of a page or worker, nor from one life to the next. */

/** The wall clock minus the monotonic one, when this life first looked. */
const origins = new WeakMap<Environment, number>();

/** Epoch milliseconds by a clock that never jumps within this life. */
export function steady(environment: Environment): number {
  const { now, elapsed = now } = environment;
  const origin = origins.get(environment) ?? now() - elapsed();
  origins.set(environment, origin);
  return Math.round(origin + elapsed());
}

/** A clock that was set back by less does not matter to anyone. Milliseconds. */
const NOTICEABLE = 1_000;

/**
 * An entry whose time to undo runs by the clock of this life. A page that was opened after the clock was set back counts it by
 * that one, which is behind the clock of an older life.
 */
export function byThisClock<E extends OutboxEntry>(environment: Environment, entry: E): E {
  const { createdAt, notBefore, attempts } = entry;
  const now = environment.now();
  const ahead = steady(environment) - now;
  const counts = notBefore && !attempts && ahead > NOTICEABLE && createdAt <= now;
  return counts ? { ...entry, notBefore: notBefore + ahead } : entry;
}

interface Aftermath {
  readonly attempts: number;
  readonly since: number;
  readonly until: number;
}

/** By entry: until when the request of its last attempt may still take effect, by the clock of this life. */
const aftermaths = new WeakMap<Environment, Map<string, Aftermath>>();

/** Notes that an attempt has ended now without a conclusive answer: its request may still take effect for a while. */
export function noteAftermath(environment: Environment, { id, attempts }: OutboxEntry, lasts = AFTERMATH): Aftermath {
  const since = steady(environment);
  const aftermath = { attempts, since, until: since + lasts };
  const known = aftermaths.get(environment) ?? new Map<string, Aftermath>();
  aftermaths.set(environment, known.set(id, aftermath));
  return aftermath;
}

/**
 * Until when the request of an entry's last attempt may still take effect. Without a monotonic clock, the stored time counts
 * unless the clock was set back. Otherwise the wait for an attempt of another life begins anew when this one first sees it,
 * but only once: a worker that never lives that long must come to an end too.
 */
export function aftermathOf(environment: Environment, entry: OutboxEntry): number {
  const now = steady(environment);
  const known = aftermaths.get(environment)?.get(entry.id);
  if (known?.attempts === entry.attempts && known.since <= now) return known.until;
  const { lastAttemptAt = 0, attemptEndsBy = 0 } = entry;
  if (attemptEndsBy === 0) return 0;
  const trusts = environment.elapsed === undefined || entry.waitedAnew === entry.attempts;
  const isKnown = trusts && known === undefined && lastAttemptAt <= now;
  return noteAftermath(environment, entry, attemptEndsBy - (isKnown ? now : lastAttemptAt)).until;
}
