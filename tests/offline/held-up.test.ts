import { expect, test } from 'vitest';
import { drain } from '../../src/offline/sender/drain.ts';
import { forgetSession } from '../../src/offline/storage/session.ts';
import { isBatch } from './support/batches.ts';
import { generatorDraft } from './support/drafts.ts';
import { OfflineWorld } from './support/offline-world.ts';

/** A device may be frozen after an attempt was committed and before its request has left. */

/** A page that is frozen as soon as an attempt is committed, until `melt` is called. */
async function frozenPage(world: OfflineWorld) {
  let melt = () => {};
  const frozen = new Promise<void>((resolve) => {
    melt = resolve;
  });
  const entries = () => world.page.outbox.entries.toArray();
  const page = world.device.environment({
    cookie: async (name) => {
      if ((await entries()).some(({ state }) => state === 'sending')) await frozen;
      return world.device.cookies.get(name);
    },
  });
  const drained = drain(page);
  await expect.poll(async () => (await entries())[0]?.state).toBe('sending');
  world.device.pass(10 * 60_000);
  return async () => {
    melt();
    await drained;
  };
}

test('a request does not leave after another sender has taken over from a frozen one', async () => {
  const world = await OfflineWorld.begin('contract-only');
  await world.save(generatorDraft('frozen'));
  const goesOn = await frozenPage(world);
  await world.linkReturns();
  await world.linkReturns();
  await goesOn();
  expect(await world.ask<unknown[]>('/api/get-generators')).toHaveLength(1);
});

test.each([
  ['a change', 'contract-only', 1],
  ['a batch', 'together', 2],
] as const)('%s does not leave after its user has logged out on a frozen device', async (_, kind, count) => {
  const world = await OfflineWorld.begin(kind);
  const mark = `left ${kind} ${Math.random()}`;
  for (let i = 0; i < count; i += 1) await world.save(generatorDraft(mark));
  const goesOn = await frozenPage(world);
  await forgetSession(world.page);
  const sent: string[] = [];
  world.device.wire = async (request, pass) => {
    if (isBatch(request) || new URL(request.url).pathname.startsWith('/api/create-')) sent.push(request.url);
    return pass(request);
  };
  await goesOn();
  expect(sent).toEqual([]);
  world.me = await world.device.signIn(world.page);
  await world.linkReturns();
  await world.linkReturns();
  expect(await world.generators(mark)).toHaveLength(count);
});
