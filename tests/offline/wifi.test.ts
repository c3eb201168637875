import { beforeEach, expect, test } from 'vitest';
import { haltFiles, keepForWifi, sendOverAnyLink } from '../../src/offline/outbox/halt-files.ts';
import { queueState } from '../../src/offline/outbox/queries.ts';
import { isWorkOverdue } from '../../src/offline/sender/overdue.ts';
import { drain } from '../../src/offline/sender/drain.ts';
import { rememberSession } from '../../src/offline/storage/session.ts';
import { generatorDraft, photo } from './support/drafts.ts';
import { cut, json, type OfflineWorld as World, OfflineWorld } from './support/offline-world.ts';

const KB = 1024;

let world: World;
/** How many bytes of pieces were sent. */
let pieces: number;

beforeEach(async () => {
  world = await OfflineWorld.begin('own');
  pieces = 0;
  world.device.wire = async (request, pass) => {
    if (request.method === 'PATCH') pieces += (await request.clone().arrayBuffer()).byteLength;
    return pass(request);
  };
});

/** A generator with a catalogue of 700 kB. */
function withCatalog(mark: string) {
  const blob = new Blob([`%PDF-1.4\n% ${mark}\n`, Buffer.alloc(700 * KB, 32)]);
  const catalog = { field: 'catalog', blob, name: `${mark}.pdf`, type: 'application/pdf' };
  return { ...generatorDraft(mark), files: [catalog, photo(mark)] };
}

const titles = async () => (await world.waiting()).map(({ change }) => 'values' in change && change.values['brand']);

test('a large file waits for Wi-Fi with its change, while everything else is sent', async () => {
  world.device.linkType = 'cellular';
  await keepForWifi(world.page, 500 * KB);
  await world.save(withCatalog('held'));
  await world.save(generatorDraft('small'));
  expect(await drain(world.page)).toEqual({ until: Number.POSITIVE_INFINITY });
  expect(await titles()).toEqual(['Brand held']);
  expect(pieces).toBe(0);
  expect(await queueState(world.page)).toMatchObject({ waiting: 1, forWifi: 1, travelling: false });
  // it does not count as a hanging sender
  world.device.pass(60 * 60_000);
  expect(await isWorkOverdue(world.page, 60_000)).toBe(false);

  world.device.linkType = 'wifi';
  await world.drain();
  expect(await world.waiting()).toEqual([]);
  expect(pieces).toBeGreaterThan(700 * KB);
});

test('a file that waits for Wi-Fi keeps the sender registered, even beside a refused change', async () => {
  world.device.linkType = 'cellular';
  await keepForWifi(world.page, 500 * KB);
  await world.save(generatorDraft('refused'));
  world.answerChanges(json(422, { message: 'Invalid.', errors: {} }));
  await world.drain();
  await world.save(withCatalog('beside'));
  expect(await drain(world.page)).toEqual({ until: Number.POSITIVE_INFINITY });
  expect((await world.waiting()).map(({ state }) => state)).toEqual(['attention', 'pending']);
});

test('the setting survives a restart, and is kept per administrator', async () => {
  world.device.linkType = 'cellular';
  await keepForWifi(world.page, 500 * KB);
  await world.save(withCatalog('restart'));
  const restarted = world.device.environment();
  await drain(restarted);
  expect(pieces).toBe(0);
  expect((await queueState(restarted)).travel?.wifiOver).toBe(500 * KB);
  await keepForWifi(restarted, undefined);
  expect((await queueState(restarted)).travel?.wifiOver).toBeUndefined();
  await drain(restarted);
  expect(await world.waiting()).toEqual([]);
});

test('the rest of a travelling file waits when the Wi-Fi ends', async () => {
  world.device.linkType = 'wifi';
  await keepForWifi(world.page, 500 * KB);
  await world.save(withCatalog('leaving'));
  world.device.wire = async (request, pass) => {
    if (request.method === 'PATCH') world.device.linkType = 'cellular';
    return pass(request);
  };
  await drain(world.page);
  const [upload] = (await queueState(world.page)).travel?.uploads.values() ?? [];
  expect(upload?.offset).toBe(256 * KB);
  expect(await queueState(world.page)).toMatchObject({ forWifi: 1, travelling: false });
});

test('a file sent anyway stays so when it starts again or was paused', async () => {
  world.device.linkType = 'cellular';
  await keepForWifi(world.page, 500 * KB);
  const { id } = await world.save(withCatalog('anyway'));
  await world.save(withCatalog('other'));
  await drain(world.page);
  await sendOverAnyLink(world.page, id);
  let sent = 0;
  world.device.wire = async (request, pass) => {
    if (request.method !== 'PATCH') return pass(request);
    const body = new Uint8Array(await request.arrayBuffer());
    // the first piece is damaged, which is detected at the end; in the file's second run one piece is cut
    if ((sent += body.length) > 900 * KB) cut();
    if (sent === body.length) body[1000] = (body[1000] ?? 0) ^ 1;
    return pass(new Request(request.url, { method: 'PATCH', headers: request.headers, body }));
  };
  await drain(world.page);
  expect([...((await queueState(world.page)).travel?.uploads.values() ?? [])][0]).toMatchObject({
    restarts: 1,
    failures: 1,
  });
  await haltFiles(world.page, id, true);
  await haltFiles(world.page, id, false);
  await world.linkReturns();
  expect(await titles()).toEqual(['Brand other']);
});

test('the whole change waits on a server without staging', async () => {
  world = await OfflineWorld.begin('contract-only');
  world.device.linkType = 'cellular';
  await keepForWifi(world.page, 500 * KB);
  const { id } = await world.save(withCatalog('plain'));
  await drain(world.page);
  expect(await titles()).toEqual(['Brand plain']);
  await sendOverAnyLink(world.page, id);
  await world.drain();
  expect(await world.waiting()).toEqual([]);
});

test('one administrator’s setting does not change another’s', async () => {
  await keepForWifi(world.page, 500 * KB);
  const { id, token } = world.me;
  const signIn = (administrator: string) =>
    rememberSession({ administrator, name: '', token, rememberAcrossRestarts: true }, world.page);
  await signIn('other');
  expect((await queueState(world.page)).travel?.wifiOver).toBeUndefined();
  await keepForWifi(world.page, 900 * KB);
  expect((await queueState(world.page)).travel?.wifiOver).toBe(900 * KB);
  await signIn(id);
  expect((await queueState(world.page)).travel?.wifiOver).toBe(500 * KB);
});
