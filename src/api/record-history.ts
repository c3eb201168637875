import { type HistoryEntry, type HistoryOwner, historyPath } from '../domain/history.ts';
import { get } from './request.ts';

/** Returns the history of a record, newest first. Not stored on the device, so it needs the server. Throws ApiFailure. */
export async function readHistory(owner: HistoryOwner, id: number): Promise<readonly HistoryEntry[]> {
  const { body } = await get(historyPath(owner, id));
  return Array.isArray(body) ? (body as HistoryEntry[]) : [];
}
