import { type HistoryEntry, historyPath } from '../domain/history.ts';
import type { Resource } from '../domain/resource.ts';
import { get } from './request.ts';

/** Who changed a record, newest first. Not kept on the device: it needs the server. Throws ApiFailure. */
export async function readHistory(resource: Resource, id: number): Promise<readonly HistoryEntry[]> {
  const { body } = await get(historyPath(resource, id));
  return Array.isArray(body) ? (body as HistoryEntry[]) : [];
}
