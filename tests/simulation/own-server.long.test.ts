import { describe } from 'vitest';
import { keepsItsPromises } from './seeds.ts';
import { ownServers } from './servers/own-on-sqlite.ts';

describe("the outbox against this repository's server", () => {
  keepsItsPromises(ownServers, 1, 500);
});
