import { sameText } from '../../../src/domain/outbox/conflict.ts';
import type { Arrival } from './arrivals.ts';
import type { Evidence } from './evidence.ts';
import type { Ledger } from './ledger.ts';

type Fail = (text: string) => void;

/** Nothing is reordered within a record: for each field, later saves also arrive later. */
export function checkOrder(evidence: Evidence, fail: Fail): void {
  for (const [record, administrator] of recordsByAdministrator(evidence.ledger)) {
    const places = placesOf(evidence.ledger, record, administrator);
    const last = new Map<string, number>();
    for (const { id, values } of evidence.ownEffectsOn(record)) {
      for (const [field, value] of Object.entries(values)) {
        const place = places.get(`${field}=${value.trim()}`);
        if (place === undefined) continue;
        // A record that the browser's repeat has duplicated has two rows, each with its own order.
        const where = `${id}/${field}`;
        if (place < (last.get(where) ?? 0)) fail(`reordered: ${field} of ${record} went back to change ${place}`);
        last.set(where, Math.max(place, last.get(where) ?? 0));
      }
    }
  }
}

/** Maps each written value to its change. Values that a conflict's decision covers are left out. */
function placesOf(ledger: Ledger, record: string, administrator: string): Map<string, number> {
  const places = new Map<string, number>();
  for (const change of ledger.changes) {
    if (change.record !== record || change.administrator !== administrator) continue;
    if (change.fate === 'given up' || change.overruled.size > 0) continue;
    for (const [field, value] of Object.entries(change.touched)) {
      if (!change.decided.has(field)) places.set(`${field}=${value.trim()}`, change.place);
    }
  }
  return places;
}

/** The records that each administrator has edited. */
function recordsByAdministrator({ changes }: Ledger): readonly (readonly [record: string, administrator: string])[] {
  const pairs = changes.map(
    ({ record, administrator }) => [`${record}/${administrator}`, [record, administrator]] as const,
  );
  return [...new Map(pairs).values()];
}

interface Theirs {
  readonly value: string;
  readonly at: number;
}

/** What someone elsewhere wrote is not overwritten by a user who has not seen it. */
export function checkNothingOverwritten(evidence: Evidence, fail: Fail): void {
  for (const record of new Set(evidence.ledger.changes.map((change) => change.record))) {
    const theirs = new Map<string, Theirs>();
    for (const arrival of evidence.effectsOn(record)) {
      for (const [field, value] of Object.entries(arrival.values)) {
        // A record that the browser's repeat has duplicated has two rows, and writes to one are not in the other.
        const place = `${arrival.id}/${field}`;
        const before = theirs.get(place);
        if (arrival.from === 'elsewhere') {
          if (arrival.op !== 'create' && !sameText(before?.value, value)) theirs.set(place, { value, at: arrival.at });
        } else if (before !== undefined && !sameText(before.value, value)) {
          if (!mayOverwrite(evidence, record, field, before, arrival))
            fail(`overwritten: ${field} of ${record} held ${before.value}`);
          theirs.delete(place);
        }
      }
    }
  }
}

function mayOverwrite(evidence: Evidence, record: string, field: string, theirs: Theirs, arrival: Arrival): boolean {
  const knew = evidence.ledger.changes.some(
    (change) =>
      change.record === record &&
      (change.decided.has(field) || change.overruled.has(field) || sameText(change.before[field], theirs.value)),
  );
  // A stock back end cannot detect a conflict: what was written between our check and our write is overwritten.
  return knew || (evidence.hasGap && arrival.at - theirs.at < 60_000);
}

/** Nothing that someone elsewhere has changed is deleted, and no file of theirs replaced, by a user who has not seen it. */
export function checkNothingUnseen(evidence: Evidence, fail: Fail): void {
  for (const record of new Set(evidence.ledger.changes.map((change) => change.record))) {
    const effects = evidence.effectsOn(record);
    const theirs = effects.filter(({ from, op }) => from === 'elsewhere' && (op === 'update' || op === 'delete-image'));
    for (const own of effects.filter(({ from }) => from !== 'elsewhere')) {
      const unseen = theirs.filter((their) => isUnseenBy(evidence, record, own, their));
      if (unseen.length > 0) fail(`unseen: ${own.op} of ${record} covers what someone else has changed`);
    }
  }
}

/** True if an own change covers someone else's, and nobody who made it can have seen that. */
function isUnseenBy(evidence: Evidence, record: string, own: Arrival, theirs: Arrival): boolean {
  const covered = own.files.map(({ field }) => field).filter((field) => field !== 'images');
  const fields = theirs.files.map(({ field }) => field).filter((field) => covered.includes(field));
  if (own.op !== 'delete' && (own.op !== 'update' || fields.length === 0)) return false;
  if (theirs.at > own.at || (evidence.hasGap && own.at - theirs.at < 60_000)) return false;
  const knew = evidence.ledger.changes.some(
    (change) =>
      change.record === record &&
      change.op === own.op &&
      (change.seenAt >= theirs.at || fields.some((field) => change.decided.has(field) || change.overruled.has(field))),
  );
  return !knew;
}
