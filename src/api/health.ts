import { findingsOfGateway, type GatewayHealth } from '../domain/protocol/gateway-health.ts';
import { findingsOf, type Finding, HEALTH_PATH, type ServerHealth } from '../domain/protocol/health.ts';
import { get } from './request.ts';

/** Returns the findings of the server’s health check. Throws ApiFailure. */
export async function readHealth(): Promise<readonly Finding[]> {
  const health = (await get(HEALTH_PATH)).body as ServerHealth | GatewayHealth;
  return 'backEnd' in health ? findingsOfGateway(health, Date.now()) : findingsOf(health, Date.now());
}
