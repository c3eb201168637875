import { findingsOf, type Finding, HEALTH_PATH, type ServerHealth } from '../domain/protocol/health.ts';
import { get } from './request.ts';

/** The server’s health in words. Throws ApiFailure. */
export async function readHealth(): Promise<readonly Finding[]> {
  return findingsOf((await get(HEALTH_PATH)).body as ServerHealth, Date.now());
}
