import { isRepeated } from '../protocol/request-limits.ts';
import type { AnyResourceName } from '../resource.ts';
import type { Values } from '../validate.ts';
import { sameText } from './conflict.ts';
import { isReadable, isUntouched } from './scheduler.ts';
import { type Change, type FileReference, type OutboxEntry, recordKey, type UpdateChange } from './vocabulary.ts';

/** A later change merged into an entry that was never attempted. */
export interface Merge {
  readonly into: OutboxEntry;
  readonly change: Change;
  /** Files of the entry that the later change replaces. */
  readonly replaced: readonly FileReference[];
}

/**
 * Finds the entry that a change can be merged into: the last one of its record, if it was never attempted. The first base
 * is kept. Returns undefined if the change needs an entry of its own.
 */
export function mergeOf(change: Change, entries: readonly OutboxEntry[], administrator: string): Merge | undefined {
  const own = entries.filter((entry) => entry.state !== 'done' && recordKey(entry.change) === recordKey(change));
  const last = own.at(-1);
  if (last === undefined || last.administrator !== administrator || !isUntouched(last)) return undefined;
  if (!isReadable(last)) return undefined;
  if (last.notBefore !== undefined) return undefined;
  if (change.op !== 'update' || (last.change.op !== 'update' && last.change.op !== 'create')) return undefined;
  if (last.change.op === 'update' && hasNotSeen(last.change, change)) return undefined;
  const { files, replaced } = joinFiles(change.resource, last.change.files, change.files);
  const values = laidOver(last.change.values, change.values, change.base.values);
  return { into: last, change: { ...last.change, values, files }, replaced };
}

/**
 * True if the later change touched a field whose form showed neither the earlier change's base nor its value. The earlier
 * change has since been rebased on someone else's value. As a separate entry, the later change is compared with that
 * value.
 */
function hasNotSeen(earlier: UpdateChange, later: UpdateChange): boolean {
  return touchedFields(later.values, later.base.values).some((field) => {
    const seen = later.base.values[field];
    return !sameText(seen, earlier.values[field]) && !sameText(seen, earlier.base.values[field]);
  });
}

/** Applies only the fields that the later change touched. Its form may be older than the earlier change. */
function laidOver(earlier: Values, later: Values, base: Values): Values {
  const touched = touchedFields(later, base).map((field) => [field, later[field]]);
  return { ...earlier, ...Object.fromEntries(touched) };
}

function touchedFields(values: Values, base: Values): string[] {
  return Object.keys(values).filter((field) => !sameText(values[field], base[field]));
}

/** Joins files: a new single file replaces the earlier one, images are added. Returns the replaced files too. */
function joinFiles(
  resource: AnyResourceName,
  earlier: readonly FileReference[],
  later: readonly FileReference[],
): { files: FileReference[]; replaced: FileReference[] } {
  const renewed = new Set(later.map(({ field }) => field).filter((field) => !isRepeated(resource, field)));
  const replaced = earlier.filter(({ field }) => renewed.has(field));
  return { files: [...earlier.filter(({ field }) => !renewed.has(field)), ...later], replaced };
}
