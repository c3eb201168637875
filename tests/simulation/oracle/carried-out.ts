import { sameText } from '../../../src/domain/outbox/conflict.ts';
import type { Arrival } from './arrivals.ts';
import type { StoredRecord } from '../servers/server.ts';
import type { Evidence } from './evidence.ts';
import { isOf, lostFrom, lostSingles, wrongImages } from './files.ts';
import type { SavedChange } from './ledger.ts';

type Fail = (text: string) => void;

/** Nothing is lost: every saved change has taken effect. */
export function checkCarriedOut(evidence: Evidence, change: SavedChange, fail: Fail): void {
  if (change.fate !== 'kept') return;
  const own = evidence.ownEffectsOn(change.record);
  const rows = evidence.rowsOf(change.record);
  switch (change.op) {
    case 'create':
      if (own.filter(({ op }) => op === 'create').length <= evidence.takenBack(change.record)) {
        if (!evidence.ledger.deletedAfter(change)) fail(lost(change, 'was never made'));
      }
      return;
    case 'delete':
      if (rows.length > evidence.twinsOf(change.record) && !evidence.mayHaveComeBack(change.record))
        fail(lost(change, 'is still there'));
      return;
    case 'delete-image':
      if (evidence.ledger.deletedAfter(change)) return;
      if (rows.some(({ images }) => images.some(({ id }) => id === change.imageId)))
        fail(lost(change, 'image is still there'));
      return;
    default:
      checkFields(evidence, change, own, fail);
  }
}

/** Nothing is duplicated. */
export function checkCreatesOnce(evidence: Evidence, fail: Fail): void {
  for (const { op, record, fate } of evidence.ledger.changes) {
    if (op !== 'create') continue;
    const made = evidence.ownEffectsOn(record).filter((arrival) => arrival.op === 'create');
    const most = fate === 'refused' ? 0 : 1 + evidence.removedUnseen(record) + evidence.takenBack(record);
    if (made.length - evidence.twinsOf(record) > most) fail(`doubled: ${record} was made ${made.length} times`);
  }
}

/** Checks the files of a change. */
export function checkFiles(evidence: Evidence, change: SavedChange, fail: Fail): void {
  const row = rowOf(evidence, change);
  if (row === undefined || change.fate === 'refused' || isMoot(evidence, change)) return;
  const { record } = change;
  const [repeated, removed] = [evidence.wasRepeated(record), evidence.imagesRemovedFrom(record)];
  const hasKeys = evidence.world.server.name === 'own';
  for (const wrong of wrongImages(change, row, { repeated, removed, hasKeys })) fail(wrong);
  for (const wrong of lostSingles(change, row, evidence)) fail(wrong);
}

/** The row of a change. For a record with duplicates, which the administrator sees as two rows, the one that was edited. */
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

/** True if the record is gone or was to be deleted: earlier edits no longer matter. */
function isMoot({ ledger }: Evidence, change: SavedChange): boolean {
  return ledger.deletedAfter(change) || ledger.removedElsewhere.has(change.record);
}

function lost(change: SavedChange, what: string): string {
  return `${lostFrom(change)}: ${what}`;
}
