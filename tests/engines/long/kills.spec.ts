import { setTimeout as sleep } from 'node:timers/promises';
import { expectAll, expectConfirmed, partners, type SamplePartner, samplePartners } from '../partners.ts';
import type { App } from '../app.ts';
import type { Device } from '../device.ts';
import type { World } from '../../harness/world.ts';
import { expect, walk } from '../walk.ts';

/** Four parts, so that the result of each is reported before the next ones end. */
const PARTS = 4;
const KILLS = 25;

/**
 * If the browser crashes by itself before a form was sent, that counts as an additional kill: the form is filled in again.
 */
const TRIES = 3;

async function fillIn(device: Device, { proxy }: World, { name, logo }: SamplePartner): Promise<App> {
  for (let tries = 1; ; tries += 1) {
    try {
      const app = await device.newTab(proxy.origin);
      await app.open('/partner-create');
      await app.fill(partners, { name, image: [logo] });
      return app;
    } catch (failure) {
      if (tries === TRIES) throw failure;
      walk.info().annotations.push({ type: 'died by itself', description: String(failure) });
      await device.kill();
    }
  }
}

/** Starts a browser, saves in it, and kills it this many milliseconds after it has reported the change as saved. */
async function saveAndDie(device: Device, world: World, partner: SamplePartner, after: number): Promise<void> {
  const app = await fillIn(device, world, partner);
  await app.submit();
  await app.isAt('/partner-all');
  await sleep(after);
  await device.kill();
}

for (let part = 1; part <= PARTS; part += 1) {
  walk(`survives ${KILLS} kills at any moment after a save (${part} of ${PARTS})`, async ({ device, world }) => {
    walk.setTimeout(30 * 60_000);
    const { proxy, server } = world;
    const all = samplePartners(KILLS, 250_000);
    const first = await device.newTab(proxy.origin);
    await first.signIn();
    await device.kill();
    for (const [at, partner] of all.entries()) {
      // Without a server every other time: pending changes are then in flight at the next kill, up to two seconds later.
      if (at % 2 === 0) await proxy.refuse();
      else await proxy.clear();
      await saveAndDie(device, world, partner, ((part * KILLS + at) * 137) % 2000);
    }
    await proxy.clear();
    const last = await device.newTab(proxy.origin);
    await last.open('/partner-all');
    await expectAll(world, all, 10 * 60_000);
    await expectConfirmed(last);
    expect(server.data.rows('partners')).toHaveLength(KILLS);
  });
}
