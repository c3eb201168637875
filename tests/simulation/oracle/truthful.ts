import { sameText } from '../../../src/domain/outbox/conflict.ts';
import type { OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import type { Arrival } from './arrivals.ts';
import type { Evidence } from './evidence.ts';
import type { SavedChange } from './ledger.ts';

type Fail = (text: string) => void;

/** Nothing arrives under another user, no bytes except the given ones, and nothing that nobody saved. */
export function checkArrivals(evidence: Evidence, fail: Fail): void {
  const { world, ledger } = evidence;
  for (const arrival of world.arrivals) {
    if (arrival.from === 'elsewhere') continue;
    for (const { field, sha256 } of arrival.files) {
      if (!ledger.picked.has(sha256)) fail(`bytes: a ${field} arrived that nobody gave`);
    }
    if (!arrival.effective) continue;
    const record = evidence.recordOf(arrival);
    const user = world.userOf(arrival.token);
    const authors = ledger.changes.filter((change) => change.record === record && couldBe(arrival, change));
    if (authors.length === 0 && arrival.op === 'delete' && evidence.takenBack(record) > 0) continue;
    if (authors.length === 0) fail(`out of nothing: ${arrival.op} of ${record}`);
    else if (!authors.some(({ administrator }) => administrator === user))
      fail(`wrong user: ${arrival.op} of ${record} went as user ${user}`);
  }
}

function couldBe({ op, values }: Arrival, change: SavedChange): boolean {
  if (op === 'delete-image' || op === 'create' || op === 'delete') return change.op === op;
  if (change.op !== 'update' && change.op !== 'create') return false;
  const touched = Object.entries(change.touched);
  return (
    touched.length === 0 ||
    change.overruled.size > 0 ||
    change.files.length > 0 ||
    touched.some(([field, value]) => sameText(values[field], value))
  );
}

/** What the outbox shows as done is on the server. */
export function checkReceipts(evidence: Evidence, fail: Fail): void {
  for (const entry of evidence.world.device.entries()) {
    if (entry.state !== 'done' || entry.schema >= 99) continue;
    const [first, ...others] = evidence.ledger.in(entry.id);
    if (first === undefined || [first, ...others].some(({ fate }) => fate === 'given up')) continue;
    if (entry.change.op === 'create') checkMade(evidence, entry, first.record, fail);
    if (entry.change.op === 'delete') checkGone(evidence, first.record, fail);
  }
}

function checkMade(evidence: Evidence, { receipt }: OutboxEntry, record: string, fail: Fail): void {
  const made = evidence.ownEffectsOn(record).filter(({ op }) => op === 'create');
  if (made.length === 0) fail(`untrue: ${record} is said to be made`);
  const id = receipt?.serverId;
  if (id !== undefined && !made.some((arrival) => arrival.id === id))
    fail(`untrue: ${record} is said to be number ${id}`);
  const isTold = receipt?.message === 'It had already arrived.' || (receipt?.duplicates?.length ?? 0) > 0;
  // A row that someone edited before it was read back cannot be distinguished from one of their records.
  if (made.length > 1 && !isTold && evidence.untouchedRows(record) > 1)
    fail(`untold: ${record} has a twin that the receipt does not show`);
}

function checkGone(evidence: Evidence, record: string, fail: Fail): void {
  if (evidence.rowsOf(record).length > evidence.twinsOf(record) && !evidence.mayHaveComeBack(record))
    fail(`untrue: ${record} is said to be gone`);
}

/**
 * A record that the outbox reports as gone was deleted by someone, or never existed: its create was discarded, or deleted
 * unsent.
 */
export function checkSaidGone(evidence: Evidence, fail: Fail): void {
  for (const record of evidence.ledger.saidGone) {
    const effects = evidence.effectsOn(record);
    if (effects.some(({ op }) => op === 'create') && !effects.some(({ op }) => op === 'delete'))
      fail(`untrue: ${record} was said to be gone, and nobody has removed it`);
  }
}
