import type { RecordId } from '../domain/outbox/vocabulary.ts';

/** The screen that compares what was changed here with what was changed on the server. */
export function conflictPath(entryId: string): string {
  return `/outbox/conflict/${entryId}`;
}

/** The create screen, filled in with another record's values. */
export function duplicatePath(createPath: string, recordId: string): string {
  return `${createPath}?from=${encodeURIComponent(recordId)}`;
}

/** How a form goes back to its list: to where that was left, showing the record that was saved. */
export interface WayBack {
  readonly back: true;
  readonly saved?: RecordId;
}

/** How a saved form goes on to the next record: to the field that was worked in. */
export interface GoingOn {
  readonly field: string | undefined;
}

/** How an edit form is opened to take in the photos that were shared. */
export interface TakingShared {
  readonly takeShared: true;
}

export const TAKING_SHARED: TakingShared = { takeShared: true };
