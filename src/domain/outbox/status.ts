import { isDeliveryUnknown } from './delivery.ts';
import { filesOf, type OutboxEntry } from './vocabulary.ts';

/** The status shown to users: the phase, with pending and attention split by cause. */
export type Status = 'waiting' | 'checking' | 'sending' | 'refused' | 'conflict' | 'done';

/** Returns the status of an entry. `checking`: pending, and possibly on the server already. */
export function statusOf(entry: OutboxEntry): Status {
  switch (entry.state) {
    case 'pending':
      return isDeliveryUnknown(entry) ? 'checking' : 'waiting';
    case 'attention':
      return entry.conflict === undefined ? 'refused' : 'conflict';
    case 'sending':
    case 'done':
      return entry.state;
    default:
      return entry satisfies never;
  }
}

/** The server's message about an error, while the change is retried automatically. */
export function answeredFault({ state, reason }: OutboxEntry): string | undefined {
  if (state !== 'pending') return undefined;
  const isAnswered = reason?.code === 'server-error' ? reason.status !== undefined : reason?.code === 'busy';
  return isAnswered ? reason?.message : undefined;
}

/** True if the server answered the last attempt with an error of its own, and the change is retried, also while it is. */
export function isFailing({ state, reason }: OutboxEntry): boolean {
  return (state === 'pending' || state === 'sending') && reason?.code === 'server-error' && reason.status !== undefined;
}

/** The server's message if it has failed since `time` (epoch milliseconds) and the change will be retried. */
export function faultSince(time: number, entry: OutboxEntry): string | undefined {
  return (entry.lastAttemptAt ?? 0) < time ? undefined : answeredFault(entry);
}

/** True if the last attempt was cut off and had files, which may be too large for the current link. */
export function isTooMuchForLink(entry: OutboxEntry): boolean {
  const { code } = entry.reason ?? {};
  return entry.state === 'pending' && (code === 'no-answer' || code === 'unreachable') && filesOf(entry).length > 0;
}

/** True for a pending change that waits after an attempt or after a failed preflight check. */
export function waitsForAnother({ state, attempts, reason }: OutboxEntry): boolean {
  return state === 'pending' && (attempts > 0 || reason !== undefined);
}
