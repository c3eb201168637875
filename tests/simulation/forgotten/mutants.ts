import type { KeptAnswer } from '../../../src/domain/protocol/kept.ts';
import type { KeepingDevice } from '../../offline/support/keeping-device.ts';
import type { Tamper } from './play.ts';

/** A planted bug, the seed at which it is caught, and what the oracle then says. */
interface Planted {
  readonly what: string;
  readonly seed: string;
  readonly tamper: Tamper;
  readonly caught: RegExp;
}

/** A server that reads how far a backup reaches after it was made: what came meanwhile counts as backed up. */
const toldTooEarly = (answer: KeptAnswer, keys: readonly string[]): KeptAnswer => ({
  ...answer,
  backedUp: keys.filter((key) => !answer.forgotten.includes(key)),
});

/** Deletions are not kept: only what they deleted is. */
async function withoutDeletions({ page: { outbox } }: KeepingDevice): Promise<void> {
  await outbox.entries
    .filter(({ state, change }) => state === 'done' && (change.op === 'delete' || change.op === 'delete-image'))
    .delete();
}

/** The bytes of a change go with its confirmation, as they did before. */
async function withoutFiles({ page: { outbox } }: KeepingDevice): Promise<void> {
  await outbox.files.clear();
}

/** Whoever is signed in sends everything that the device keeps. */
async function asAnyone({ page: { outbox }, user }: KeepingDevice): Promise<void> {
  await outbox.entries
    .where('state')
    .equals('done')
    .modify({ administrator: String(user) });
}

/** What is sent again gets another key, as a new change does. */
async function underNewKeys({ device, page: { outbox } }: KeepingDevice): Promise<void> {
  await outbox.entries
    .where('state')
    .equals('pending')
    .modify((entry) => Object.assign(entry, { idempotencyKey: device.uuid() }));
}

export const PLANTED: readonly Planted[] = [
  { what: 'a cursor that is told too early', seed: '2', tamper: { answer: toldTooEarly }, caught: /^lost/ },
  {
    what: 'a deletion that is brought back',
    seed: '2',
    tamper: { confirmed: withoutDeletions },
    caught: /^brought back/,
  },
  { what: 'files that are dropped', seed: '1', tamper: { confirmed: withoutFiles }, caught: /^(lost|stuck)/ },
  {
    what: 'another’s change that is sent again',
    seed: '1',
    tamper: { before: asAnyone },
    caught: /^(as another|false alarm: for)/,
  },
  {
    what: 'what is doubled after a second restore',
    seed: '1',
    tamper: { again: underNewKeys, restoresNewer: true },
    caught: /^(doubled|false alarm)/,
  },
];
