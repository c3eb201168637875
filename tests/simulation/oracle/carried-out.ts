import { sameText } from '../../../src/domain/outbox/conflict.ts';
import type { Arrival } from './arrivals.ts';
import type { StoredRecord } from '../servers/server.ts';
import type { Evidence } from './evidence.ts';
import type { GivenFile, SavedChange } from './ledger.ts';

type Fail = (text: string) => void;

/** 0 lost: what was saved has taken effect. */
export function checkCarriedOut(evidence: Evidence, change: SavedChange, fail: Fail): void {
  if (change.fate !== 'kept') return;
  const own = evidence.ownEffectsOn(change.record);
  const rows = evidence.rowsOf(change.record);
  switch (change.op) {
    case 'create':
      if (!own.some(({ op }) => op === 'create') && !evidence.ledger.deletedAfter(change))
        fail(lost(change, 'was never made'));
      return;
    case 'delete':
      if (rows.length > evidence.twinsOf(change.record) && !evidence.mayHaveComeBack(change.record))
        fail(lost(change, 'is still there'));
      return;
    case 'delete-image':
      if (rows.some(({ images }) => images.some(({ id }) => id === change.imageId)))
        fail(lost(change, 'image is still there'));
      return;
    default:
      checkFields(evidence, change, own, fail);
  }
}

/** 0 doubled. */
export function checkCreatesOnce(evidence: Evidence, fail: Fail): void {
  for (const { op, record, fate } of evidence.ledger.changes) {
    if (op !== 'create') continue;
    const made = evidence.ownEffectsOn(record).filter((arrival) => arrival.op === 'create');
    const most = fate === 'refused' ? 0 : 1 + evidence.removedUnseen(record);
    if (made.length - evidence.twinsOf(record) > most) fail(`doubled: ${record} was made ${made.length} times`);
  }
}

/** 0 lost, 0 doubled, in their order, byte for byte: the files of a change. */
export function checkFiles(evidence: Evidence, change: SavedChange, fail: Fail): void {
  const row = rowOf(evidence, change);
  if (row === undefined || change.fate === 'refused' || isMoot(evidence, change)) return;
  const given = change.files.filter(({ field }) => field === 'images');
  const stored = row.images.flatMap(({ sha256 }) => given.find((file) => isOf(file, sha256))?.sha256 ?? []);
  const repeated = evidence.wasRepeated(change.record);
  if (new Set(stored).size < stored.length && !repeated) fail(`doubled: an image of ${change.record}`);
  if (change.fate !== 'kept') return;
  const images = given.map(({ sha256 }) => sha256);
  const missing = images.filter((sha256) => !stored.includes(sha256));
  if (missing.length > 0 && !evidence.imagesRemovedFrom(change.record)) fail(lost(change, `${missing.length} images`));
  const wanted = images.filter((sha256) => stored.includes(sha256));
  // what somebody has removed, and a repeat brings once more, stands last
  const moved = repeated || evidence.imagesRemovedFrom(change.record);
  if (!moved && wanted.join() !== stored.join()) fail(`reordered: images of ${change.record}`);
  for (const file of change.files.filter(({ field }) => field !== 'images')) {
    const { field } = file;
    const other = evidence.ledger.superseded(change, ({ files }) => files.some((one) => one.field === field));
    if (!other && !change.overruled.has(field) && !isOf(file, row.files[field])) fail(lost(change, `its ${field}`));
  }
}

/** Its row; of a record with twins, which the administrator sees as two, the one that was worked on. */
function rowOf(evidence: Evidence, { record, files }: SavedChange): StoredRecord | undefined {
  const rows = evidence.rowsOf(record);
  if (evidence.twinsOf(record) === 0) return rows[0];
  const held = (row: StoredRecord) => {
    const hashes = [...row.images.map(({ sha256 }) => sha256), ...Object.values(row.files)];
    return files.filter((file) => hashes.some((hash) => isOf(file, hash))).length;
  };
  return rows.toSorted((one, other) => held(other) - held(one))[0];
}

function checkFields(evidence: Evidence, change: SavedChange, own: readonly Arrival[], fail: Fail): void {
  if (isMoot(evidence, change)) return;
  for (const [field, value] of Object.entries(change.touched)) {
    const other = evidence.ledger.superseded(change, ({ touched }) => touched[field] !== undefined);
    if (other || change.overruled.has(field)) continue;
    if (!own.some(({ values }) => sameText(values[field], value))) fail(lost(change, `${field} never arrived`));
  }
}

/** The record is gone, or was to go: what was edited before does not matter any more. */
function isMoot({ ledger }: Evidence, change: SavedChange): boolean {
  return ledger.deletedAfter(change) || ledger.removedElsewhere.has(change.record);
}

function lost({ number, op, record }: SavedChange, what: string): string {
  return `lost: change ${number} (${op} ${record}): ${what}`;
}

/** The bytes are a given file's, or those of the one that it was picked for once more. */
function isOf({ sha256, insteadOf }: GivenFile, stored: string | undefined): boolean {
  return stored !== undefined && (stored === sha256 || stored === insteadOf);
}
