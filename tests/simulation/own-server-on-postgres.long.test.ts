import { describe } from 'vitest';
import { keepsItsPromises } from './seeds.ts';
import { ownServersOnPostgres } from './servers/own-on-postgres.ts';

describe("the outbox against two of this repository's servers on one PostgreSQL, whose connections end at any moment", () => {
  keepsItsPromises(ownServersOnPostgres, 1, 25);
});
