import { describe } from 'vitest';
import { keepsItsPromises } from './seeds.ts';
import { gatewayServers } from './servers/gateway.ts';

describe('the outbox against a gateway in front of a stock back end', () => {
  keepsItsPromises(async () => gatewayServers, 1, 500);
});
