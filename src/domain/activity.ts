import { type HistoryEntry, type HistoryOwner } from './history.ts';

/** The address of recent activity, across all kinds. */
export const ACTIVITY_PATH = '/api/activity';

/** One person's latest operation on a record. */
export interface ActivityEntry extends Pick<HistoryEntry, 'id' | 'at' | 'administrator' | 'action' | 'sentAgainFrom'> {
  /** The administrator's id. */
  readonly administratorId: number;
  readonly resource: HistoryOwner['name'];
  readonly recordId: number;
  /** The record's name at that time. */
  readonly title: string;
  /** The record has been deleted, then or since. */
  readonly isGone: boolean;
}

/** Reads the answer. Returns an empty list for anything else. */
export function readActivity(body: unknown): readonly ActivityEntry[] {
  return Array.isArray(body) ? (body as readonly ActivityEntry[]) : [];
}
