import { type HistoryEntry, type HistoryOwner, historyPath } from '../domain/history.ts';
import { get } from './request.ts';

/**
 * Returns a page of the history of a record, newest first: before an entry, or the newest. Not stored on the device, so it
 * needs the server. Throws ApiFailure.
 */
export async function readHistory(owner: HistoryOwner, id: number, before?: number): Promise<readonly HistoryEntry[]> {
  const { body } = await get(historyPath(owner, id, before));
  return Array.isArray(body) ? (body as HistoryEntry[]) : [];
}
