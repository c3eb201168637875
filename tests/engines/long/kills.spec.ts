import { setTimeout as sleep } from 'node:timers/promises';
import { expectAll, expectConfirmed, partners, type SamplePartner, samplePartners } from '../partners.ts';
import type { Device } from '../device.ts';
import type { World } from '../../harness/world.ts';
import { expect, walk } from '../walk.ts';

const KILLS = 100;

/** Saves, in a browser that is started for it, and kills it so many milliseconds after it said that the change is saved. */
async function saveAndDie(
  device: Device,
  { proxy }: World,
  { name, logo }: SamplePartner,
  after: number,
): Promise<void> {
  const app = await device.newTab(proxy.origin);
  await app.open('/partner-create');
  await app.fill(partners, { name, image: [logo] });
  await app.submit();
  await app.isAt('/partner-all');
  await sleep(after);
  await device.kill();
}

walk(`killed ${KILLS} times, at every moment after a save`, async ({ device, world }) => {
  walk.setTimeout(90 * 60_000);
  const { proxy, server } = world;
  const all = samplePartners(KILLS, 250_000);
  const first = await device.newTab(proxy.origin);
  await first.signIn();
  await device.kill();
  for (const [at, partner] of all.entries()) {
    // Every other time without a server: what waited is on its way when the next kill comes, up to two seconds later.
    if (at % 2 === 0) await proxy.refuse();
    else await proxy.clear();
    await saveAndDie(device, world, partner, (at * 137) % 2000);
  }
  await proxy.clear();
  const last = await device.newTab(proxy.origin);
  await last.open('/partner-all');
  await expectAll(world, all, 10 * 60_000);
  await expectConfirmed(last);
  expect(server.data.rows('partners')).toHaveLength(KILLS);
});
