import { findingsOf, type Finding, HEALTH_PATH, type ServerHealth } from '../domain/protocol/health.ts';
import { get } from './request.ts';

/** Returns the findings of the server’s health check. Throws ApiFailure. */
export async function readHealth(): Promise<readonly Finding[]> {
  return findingsOf((await get(HEALTH_PATH)).body as ServerHealth, Date.now());
}
