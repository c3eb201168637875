import { isExported } from '../../../src/domain/outbox/delivery.ts';
import { statusOf } from '../../../src/domain/outbox/status.ts';
import type { OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';

/** An entry as stored by version 3 of the app: seven states, plus flags. */
export interface Version3 {
  readonly schema: number;
  readonly state: 'queued' | 'sending' | 'uncertain' | 'waiting' | 'refused' | 'conflict' | 'done';
  readonly doubt?: boolean;
  readonly copied?: boolean;
  readonly mended?: boolean;
  readonly [fact: string]: unknown;
}

/** A current entry as version 3 would have stored it. */
export function asVersion3(entry: OutboxEntry): Version3 {
  const { delivery, baselineIds, acceptedMessage, state: _, ...facts } = entry;
  return {
    ...facts,
    schema: 3,
    state: stateOf(entry),
    ...(delivery.includes('attempt') ? { doubt: true } : {}),
    ...(isExported(entry) ? { copied: true } : {}),
    ...(delivery.includes('repair') ? { mended: true } : {}),
    ...(delivery.includes('earlier-payload') ? { firstMayBeThere: true } : {}),
    ...(baselineIds === undefined ? {} : { knownIds: baselineIds }),
    ...(acceptedMessage === undefined ? {} : { confirmed: acceptedMessage }),
  };
}

function stateOf(entry: OutboxEntry): Version3['state'] {
  const status = statusOf(entry);
  if (status === 'checking') return 'uncertain';
  if (status !== 'waiting') return status;
  return entry.attempts > 0 || entry.reason !== undefined ? 'waiting' : 'queued';
}
