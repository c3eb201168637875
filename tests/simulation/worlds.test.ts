import { describe } from 'vitest';
import { keepsItsPromises } from './seeds.ts';
import { contractOnlyServers } from './servers/contract-only.ts';
import { gatewayServers } from './servers/gateway.ts';
import { ownServers } from './servers/own-on-sqlite.ts';

describe("the outbox against this repository's server", () => keepsItsPromises(ownServers, 1, 20));

describe('the outbox against a gateway in front of a stock back end', () =>
  keepsItsPromises(async () => gatewayServers, 1, 20));

describe('the outbox against a stock back end', () => keepsItsPromises(async () => contractOnlyServers, 1, 20));
