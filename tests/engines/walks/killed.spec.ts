import { expectAll, expectConfirmed, partners, samplePartner, save } from '../partners.ts';
import { until } from '../until.ts';
import { expect, walk } from '../walk.ts';

const MEGABYTE = 1024 * 1024;

walk('a change survives a kill right after "Saved on this device"', async ({ device, world }) => {
  const { proxy } = world;
  const volt = samplePartner('Volt Brothers', 1, MEGABYTE);
  const first = await device.newTab(proxy.origin);
  await first.signIn();
  await first.open('/partner-create');
  await proxy.refuse();
  await first.fill(partners, { name: volt.name, image: [volt.logo] });
  await first.submit();
  await first.see('[role=status], [role=alert]', /Saved on this device/);
  await device.kill();

  await proxy.clear();
  const again = await device.newTab(proxy.origin);
  await again.open('/partner-all');
  await expectAll(world, [volt]);
  await expectConfirmed(again);
  await expectAll(world, [volt]);
  expect(await again.path()).toBe('/partner-all');
});

walk('a change arrives once after a kill in the middle of its upload', async ({ device, world }) => {
  const { proxy } = world;
  const volt = samplePartner('Volt Brothers', 2, 3 * MEGABYTE);
  const first = await device.newTab(proxy.origin);
  await first.signIn();
  for (const only of ['POST ', 'PATCH ']) {
    if (only === 'POST ') await proxy.strike({ kind: 'cut-request', after: MEGABYTE }, { only });
    else proxy.strikeToo({ kind: 'cut-request', after: MEGABYTE }, { only });
  }
  await save(first, volt);
  await until('an upload that is cut', () => proxy.struck > 0);
  await device.kill();

  await proxy.clear();
  const again = await device.newTab(proxy.origin);
  await again.open('/partner-all');
  await expectAll(world, [volt]);
  await expectConfirmed(again);
  expect(world.server.data.rows('partners')).toHaveLength(1);
});

walk('a half-filled form is restored after a kill', async ({ device, world }) => {
  const { proxy } = world;
  const half = samplePartner('Half typed', 3);
  const first = await device.newTab(proxy.origin);
  await first.signIn();
  await first.open('/partner-create');
  await first.fill(partners, { image: [half.logo], name: half.name });
  await until('the draft on the device', async () => {
    const [draft] = await first.drafts();
    return draft?.values['name'] === half.name && draft.fileKeys.length === 1;
  });
  await device.kill();

  const again = await device.newTab(proxy.origin);
  await again.open('/partner-create');
  await again.see('button', /^Remove Half typed\.png$/);
  expect(await again.valueOf('name')).toBe(half.name);
  await again.submit();
  await expectAll(world, [half]);
});
