import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEPT_CASES } from './kept-cases.ts';
import { contractOnlyServers } from './servers/contract-only.ts';
import { ownServers } from './servers/own.ts';
import type { ServerSupply } from './servers/server.ts';
import { play } from './stage/play.ts';

const MINUTE = 60_000;

describe('what was once broken', () => {
  let own: ServerSupply;
  beforeAll(async () => {
    own = await ownServers();
  }, MINUTE);
  afterAll(() => own.close());

  for (const { what, server, schedule } of KEPT_CASES) {
    it(`stays mended: ${what}`, { timeout: MINUTE }, async () => {
      const { failures } = await play(schedule, server === 'own' ? own : contractOnlyServers);
      expect(failures).toEqual([]);
    });
  }
});
