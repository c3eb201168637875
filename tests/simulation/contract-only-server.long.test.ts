import { describe } from 'vitest';
import { keepsItsPromises } from './seeds.ts';
import { contractOnlyServers } from './servers/contract-only.ts';

describe('the outbox against a stock back end', () => {
  keepsItsPromises(async () => contractOnlyServers, 1, 500);
});
