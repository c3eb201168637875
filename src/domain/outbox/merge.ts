import { isRepeated } from '../protocol/request-limits.ts';
import type { AnyResourceName } from '../resource.ts';
import type { Values } from '../validate.ts';
import { sameText } from './conflict.ts';
import { isReadable, isUntouched } from './scheduler.ts';
import { type Change, type FileReference, type OutboxEntry, recordKey, type UpdateChange } from './vocabulary.ts';

/** A later change taken into an entry that was never attempted. */
export interface Merge {
  readonly into: OutboxEntry;
  readonly change: Change;
  /** Files of the entry that the later change replaces. */
  readonly replaced: readonly FileReference[];
}

/**
 * Finds the entry that can take a change in: the last one of its record, if it was never attempted. The first base is kept.
 * Undefined when the change has to stand by itself.
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
 * True when the later change touched a field whose form showed neither what the earlier one was made of nor what it brings: the earlier
 * one has taken over since what somebody wrote on the server. By itself the later one is compared with that.
 */
function hasNotSeen(earlier: UpdateChange, later: UpdateChange): boolean {
  return touchedFields(later.values, later.base.values).some((field) => {
    const seen = later.base.values[field];
    return !sameText(seen, earlier.values[field]) && !sameText(seen, earlier.base.values[field]);
  });
}

/** Only what the later change touched: its form may have been opened before the earlier one was saved. */
function laidOver(earlier: Values, later: Values, base: Values): Values {
  const touched = touchedFields(later, base).map((field) => [field, later[field]]);
  return { ...earlier, ...Object.fromEntries(touched) };
}

function touchedFields(values: Values, base: Values): string[] {
  return Object.keys(values).filter((field) => !sameText(values[field], base[field]));
}

/** Puts new files beside earlier ones: those of a single-file field replace, images are added. Tells what was replaced. */
function joinFiles(
  resource: AnyResourceName,
  earlier: readonly FileReference[],
  later: readonly FileReference[],
): { files: FileReference[]; replaced: FileReference[] } {
  const renewed = new Set(later.map(({ field }) => field).filter((field) => !isRepeated(resource, field)));
  const replaced = earlier.filter(({ field }) => renewed.has(field));
  return { files: [...earlier.filter(({ field }) => !renewed.has(field)), ...later], replaced };
}
