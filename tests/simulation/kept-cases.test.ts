import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEPT_CASES } from './kept-cases.ts';
import { contractOnlyServers } from './servers/contract-only.ts';
import { gatewayServers } from './servers/gateway.ts';
import { ownServers } from './servers/own-on-sqlite.ts';
import type { ServerName, ServerSupply } from './servers/server.ts';
import { play } from './scenario/play.ts';

const MINUTE = 60_000;

describe('what was once broken', () => {
  let supplies: Readonly<Record<ServerName, ServerSupply>>;
  beforeAll(async () => {
    supplies = { own: await ownServers(0), gateway: gatewayServers, 'contract-only': contractOnlyServers };
  }, MINUTE);
  afterAll(() => supplies.own.close());

  for (const { what, server, schedule } of KEPT_CASES) {
    it(`stays fixed: ${what}`, { timeout: MINUTE }, async () => {
      const { failures } = await play(schedule, supplies[server]);
      expect(failures).toEqual([]);
    });
  }
});
