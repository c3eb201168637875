import { isDeliveryUnknown } from './delivery.ts';
import { filesOf, type OutboxEntry } from './vocabulary.ts';

/** How a change stands, for people: a phase, and of what waits or needs them the reason that matters. */
export type Status = 'waiting' | 'checking' | 'sending' | 'refused' | 'conflict' | 'done';

/** `checking`: it waits, and may be on the server already. */
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

/** The server's own words on a fault that it has answered, where the change is tried again by itself. */
export function answeredFault({ state, reason }: OutboxEntry): string | undefined {
  if (state !== 'pending') return undefined;
  const isAnswered = reason?.code === 'server-error' ? reason.status !== undefined : reason?.code === 'busy';
  return isAnswered ? reason?.message : undefined;
}

/** True when the last attempt was cut, and what it carried may be more than the link carries today. */
export function isTooMuchForLink(entry: OutboxEntry): boolean {
  const { code } = entry.reason ?? {};
  return entry.state === 'pending' && (code === 'no-answer' || code === 'unreachable') && filesOf(entry).length > 0;
}

/** True for one that waits after an attempt, or after something that had to be known first could not be found out. */
export function waitsForAnother({ state, attempts, reason }: OutboxEntry): boolean {
  return state === 'pending' && (attempts > 0 || reason !== undefined);
}
