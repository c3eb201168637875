import type { RecordId } from '../domain/outbox/vocabulary.ts';

/** The screen that compares the local change with the server's. */
export function conflictPath(entryId: string): string {
  return `/outbox/conflict/${entryId}`;
}

/** The create screen, prefilled with another record. */
export function duplicatePath(createPath: string, recordId: string): string {
  return `${createPath}?from=${encodeURIComponent(recordId)}`;
}

/** Navigation state back to a list: restores its position and highlights the saved record. */
export interface WayBack {
  readonly back: true;
  readonly saved?: RecordId;
}

/** Navigation state to the next record: focuses the field last worked in. */
export interface GoingOn {
  readonly field: string | undefined;
}

/** Navigation state that adds shared photos to the opened form. */
export interface TakingShared {
  readonly takeShared: true;
}

export const TAKING_SHARED: TakingShared = { takeShared: true };
