import { beforeEach, describe, expect, test } from 'vitest';
import { ENTRY_SCHEMA } from '../../src/domain/outbox/vocabulary.ts';
import { asOnlySender } from '../../src/offline/sender/lease.ts';
import type { Environment } from '../../src/offline/storage/environment.ts';
import { type Lease, readMeta, writeMeta } from '../../src/offline/storage/meta.ts';
import { creating, entryOf, NOW } from '../domain/outbox/samples.ts';
import { onItsWay } from './support/at-work.ts';
import { contractOnlyBackend } from './support/backends.ts';
import { Device } from './support/device.ts';

const LASTS = 30_000;

type Request = (options: { signal: AbortSignal }, work: () => Promise<unknown>) => Promise<unknown>;

let device: Device;

beforeEach(() => {
  device = new Device(contractOnlyBackend());
  device.time = NOW;
});

/** A page or a worker with these locks. */
function context(request?: Request): Environment {
  return device.environment(request === undefined ? {} : locksOf(request));
}

function locksOf(request: Request): Partial<Environment> {
  const locks = {
    request: (_: string, options: { signal: AbortSignal }, work: () => Promise<unknown>) => request(options, work),
  };
  return { locks: locks as unknown as Environment['locks'] & object };
}

const granting: Request = async (_, work) => work();
/** A lock that is never released. */
const leaked: Request = async ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

const lease = (environment: Environment) => readMeta(environment.outbox, 'lease');

async function taken(request: Request | undefined, before: Partial<Lease>): Promise<number | undefined> {
  const environment = context(request);
  await writeMeta(environment.outbox, 'lease', { fence: 7, holder: 'other', expires: NOW, ...before });
  return asOnlySender(environment, async (fence) => fence);
}

describe('the lease', () => {
  test.each<[string, Partial<Lease>, boolean, boolean]>([
    ['has just expired', { expires: NOW }, true, true],
    ['is valid for another moment', { expires: NOW + 1 }, false, true],
    ['was just taken', { expires: NOW + LASTS }, false, true],
    ['was taken before the clock was set back', { expires: NOW + LASTS + 1 }, true, true],
    ['was released', { expires: 0 }, true, true],
    ['was taken without the lock and is valid', { expires: NOW + 1, unlocked: true }, false, false],
    ['was taken without the lock and has expired', { expires: NOW, unlocked: true }, true, true],
  ])('of another sender %s', async (_how, before, lockless, locked) => {
    expect(await taken(undefined, before)).toBe(lockless ? 8 : undefined);
    expect(await taken(granting, before)).toBe(locked ? 8 : undefined);
  });

  test('is held during the work, and then released with its fence', async () => {
    const page = context();
    const during = await asOnlySender(page, async () => lease(page));
    expect(during).toEqual({ fence: 1, holder: page.holder, expires: NOW + LASTS });
    expect(await lease(page)).toEqual({ fence: 1, holder: page.holder, expires: 0 });
    expect(device.timers.size).toBe(0);
  });

  test('is released when the work fails, and the error is passed on', async () => {
    const page = context(granting);
    await expect(asOnlySender(page, async () => Promise.reject(new Error('Odd.')))).rejects.toThrow('Odd.');
    expect(await lease(page)).toMatchObject({ fence: 1, expires: 0 });
    expect(device.timers.size).toBe(0);
  });

  test('of another sender is not released', async () => {
    const page = context();
    await asOnlySender(page, () => writeMeta(page.outbox, 'lease', { fence: 2, holder: 'other', expires: 5 }));
    expect(await lease(page)).toEqual({ fence: 2, holder: 'other', expires: 5 });
    await writeMeta(page.outbox, 'lease', undefined);
    await asOnlySender(page, () => writeMeta(page.outbox, 'lease', { fence: 1, holder: 'other', expires: 6 }));
    expect(await lease(page)).toEqual({ fence: 1, holder: 'other', expires: 6 });
  });

  test('is renewed every ten seconds', async () => {
    const page = context();
    const expires = async () => ((await lease(page))?.expires ?? 0) - NOW;
    await asOnlySender(page, async () => {
      device.pass(9_999);
      expect(await expires()).toBe(LASTS);
      device.pass(1);
      await expect.poll(expires).toBe(LASTS + 10_000);
      await expect.poll(() => device.timers.size).toBe(1);
      device.pass(10_000);
      await expect.poll(expires).toBe(LASTS + 20_000);
    });
  });

  test('is not renewed after the work, even if a renewal was in progress', async () => {
    const page = context();
    await asOnlySender(page, async () => device.pass(10_000));
    for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(device.timers.size).toBe(0);
    expect(await lease(page)).toMatchObject({ fence: 1, expires: 0 });
  });
});

describe('the lock', () => {
  test('has the single name that every version of the app uses', async () => {
    const names: string[] = [];
    const locks = {
      request: (name: string, _: unknown, work: () => Promise<unknown>) => {
        names.push(name);
        return work();
      },
    } as unknown as Environment['locks'] & object;
    await asOnlySender(device.environment({ locks }), async () => 1);
    expect(names).toEqual(['voltdesk-sender']);
  });

  test('is awaited for 30 seconds, after which the lease alone decides', async () => {
    const page = context(leaked);
    const got = asOnlySender(page, async () => lease(page));
    device.pass(29_999);
    expect(await lease(page)).toBeUndefined();
    device.pass(1);
    expect(await got).toMatchObject({ fence: 1, unlocked: true });
  });

  test('does not displace a sender that works without it, even after a renewal', async () => {
    const page = context(leaked);
    const got = asOnlySender(page, async () => {
      device.pass(10_000);
      await expect.poll(async () => (await lease(page))?.expires).toBe(NOW + 40_000 + LASTS);
      return asOnlySender(device.environment({ outbox: page.outbox, ...locksOf(granting) }), async (fence) => fence);
    });
    device.pass(30_000);
    expect(await got).toBeUndefined();
    expect(await lease(page)).toMatchObject({ fence: 1, unlocked: true });
  });

  test('that fails reports its own error, and is not aborted later', async () => {
    const broken = context(async () => Promise.reject(new Error('No locks here.')));
    await expect(asOnlySender(broken, async () => 1)).rejects.toThrow('No locks here.');
    const late = context(async ({ signal }, work) => {
      const result = work();
      device.pass(60_000);
      await result.catch(() => undefined);
      throw new Error(`Aborted: ${signal.aborted}`);
    });
    await expect(asOnlySender(late, async () => 1)).rejects.toThrow('Aborted: false');
  });
});

test('an entry left as sending by the last sender may be delivered, and no other entry changes', async () => {
  const page = context();
  const { entries } = page.outbox;
  const newer = onItsWay(creating('local-2'), { schema: ENTRY_SCHEMA + 1 });
  const [sending, waiting] = [onItsWay(creating()), entryOf(creating('local-3'))];
  await entries.bulkPut([sending, newer, waiting]);
  await asOnlySender(page, async () => {
    expect(await entries.get(sending.sequence)).toMatchObject({ state: 'pending', delivery: ['attempt'] });
    expect(await entries.get(newer.sequence)).toEqual(newer);
    expect(await entries.get(waiting.sequence)).toEqual(waiting);
  });
});
