import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OUTBOX_DATABASE } from '../../../src/offline/storage/outbox-name.ts';
import { TestServer } from '../../harness/server.ts';
import { buildPage } from '../kit/build-page.ts';
import { type Device, openDevice } from '../kit/device.ts';
import { atMost, atMostTimes, type Figure } from '../kit/figure.ts';
import { type Lab, openLabOn } from '../kit/lab.ts';
import { type Link, openLink } from '../kit/link.ts';
import { recordNoise } from '../kit/noise.ts';
import type { Row } from '../kit/row.ts';
import { signIn } from '../kit/sign-in.ts';

export const BYTES = 100_000_000;
export const QUALITY = { roundTrip: 20, bitsPerSecond: 32_000_000 };
export const CUTS = 100;
export const KILLS = 20;
export const SETTINGS = { LOG_LEVEL: 'error', MAX_FILE_MB: '100', MAX_REQUEST_MB: '128' };

interface World {
  readonly server: TestServer;
  readonly link: Link;
  readonly device: Device;
  /** The sending page. Replaced after each kill. */
  lab: Pick<Lab, 'run' | 'close'>;
  readonly address: string;
}

/** Sends one file of 100 MB. The page and the server are killed in turn, with five cuts of the link before each. */
async function measure(): Promise<readonly Figure[]> {
  recordNoise();
  const server = await TestServer.start({ settings: SETTINGS, appDir: await buildPage('lab') });
  const link = await openLink(server.origin);
  const device = await openDevice();
  try {
    const address = `${link.address}/#${(await signIn(server.origin)).token}`;
    const world: World = { server, link, device, address, lab: await openLabOn(device, address) };
    await world.lab.run('sign in');
    await world.lab.run('save catalog', BYTES);
    return await throughEverything(world);
  } finally {
    await device.close();
    await link.close();
    await server.remove();
  }
}

async function throughEverything(world: World): Promise<readonly Figure[]> {
  const { link, server, device } = world;
  const sha256 = await storedHash(device);
  link.become(QUALITY);
  const before = link.carried();
  const began = performance.now();
  let sent = send(world);
  for (let event = 1; event <= CUTS + KILLS; event += 1) {
    await arrived(link, before + (event * BYTES) / (CUTS + KILLS + 1));
    if (event % 6 !== 0) link.cut();
    else if (event % 12 !== 0) await restarted(server);
    else {
      await reopen(world);
      sent = send(world);
    }
  }
  await sent;
  const seconds = (performance.now() - began) / 1_000;
  const what = `a file of 100 MB, ${CUTS} cuts, page and server killed ${KILLS / 2} times each`;
  const carried = (link.carried() - before) / 1_000;
  const wrong = (await hashesOf(server)).includes(sha256) ? 0 : BYTES / 1_000;
  return [
    { what: `${what}: bytes that arrived`, unit: 'kB', ours: [carried], against: itsBytes, goal: atMostTimes(1.1) },
    { what: 'the same: wrong bytes', unit: 'kB', ours: [wrong], goal: atMost(0) },
    { what: 'the same: time', unit: 's', ours: [seconds] },
  ];
}

const itsBytes = { name: 'its bytes', sample: [BYTES / 1_000] };

/** Sends until the queue is empty or the page is closed. */
function send({ lab }: World): Promise<unknown> {
  return lab.run('sent but', 0).catch(() => undefined);
}

/** Waits until this many bytes have arrived. */
export async function arrived(link: Link, bytes: number): Promise<void> {
  while (link.carried() < bytes) await sleep(20);
}

/** Kills the page, whatever it is doing, and opens another. */
async function reopen(world: World): Promise<void> {
  await world.lab.close();
  world.lab = await openLabOn(world.device, world.address);
}

/** Kills the server as a power cut would, and restarts it. */
export async function restarted(server: TestServer): Promise<void> {
  await server.kill();
  await server.start();
}

/** The hash of the largest file on the device, as recorded when it was saved. */
export async function storedHash({ context }: Device): Promise<string> {
  const [page] = context.pages().slice(-1);
  const hash = await page?.evaluate(
    (name) =>
      new Promise<string>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.addEventListener('error', () => reject(new Error('The outbox cannot be opened.')));
        opening.addEventListener('success', () => {
          const asked = opening.result.transaction('files').objectStore('files').getAll();
          asked.addEventListener('success', () => {
            const files = asked.result as { size: number; sha256: string }[];
            resolve(files.toSorted((one, other) => other.size - one.size)[0]?.sha256 ?? '');
            opening.result.close();
          });
        });
      }),
    OUTBOX_DATABASE,
  );
  return hash ?? '';
}

/** Hashes of the server's stored files of that size. */
export async function hashesOf({ dataDir }: TestServer): Promise<string[]> {
  const files = readdirSync(join(dataDir, 'uploads'), { recursive: true, encoding: 'utf8' })
    .map((name) => join(dataDir, 'uploads', name))
    .filter((path) => statSync(path).size === BYTES);
  return Promise.all(
    files.map(async (path) => {
      const hash = createHash('sha256');
      for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
      return hash.digest('hex');
    }),
  );
}

/** A very large file gets through although link, page and server are killed. A real server, one run. */
export const kills: Row = { name: 'kills', measure };
