import { handoverFinished } from '../stores/app-update.ts';
import type { Answer } from './client.ts';

/** Reads through the client, which loads with the first request to keep it out of the first paint. Throws ApiFailure. */
export async function get(path: string, etag?: string, signal?: AbortSignal): Promise<Answer> {
  await handoverFinished();
  const client = await import('./client.ts');
  return client.get(path, etag, signal);
}

/** Posts through the client, loaded with the first request. `key` makes a repeat harmless. Throws ApiFailure. */
export async function post(path: string, body?: FormData | object, key?: string): Promise<Answer> {
  await handoverFinished();
  const client = await import('./client.ts');
  return client.post(path, body, key);
}
