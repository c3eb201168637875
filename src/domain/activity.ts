import { type HistoryEntry, type HistoryOwner } from './history.ts';

/** Where it is asked for what happened lately, over all kinds. */
export const ACTIVITY_PATH = '/api/activity';

/** What one person did last to a record. */
export interface ActivityEntry extends Pick<HistoryEntry, 'id' | 'at' | 'administrator' | 'action'> {
  /** The id of who did it. */
  readonly administratorId: number;
  readonly resource: HistoryOwner['name'];
  readonly recordId: number;
  /** The record's name at that time. */
  readonly title: string;
  /** It has been deleted, then or since. */
  readonly isGone: boolean;
}

/** Reads the answer; nothing of anything else. */
export function readActivity(body: unknown): readonly ActivityEntry[] {
  return Array.isArray(body) ? (body as readonly ActivityEntry[]) : [];
}
