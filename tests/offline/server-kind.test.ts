import { describe, expect, test } from 'vitest';
import { type Capabilities, CONTRACT_ONLY } from '../../src/domain/protocol/capabilities.ts';
import { reachServer } from '../../src/offline/sender/server-kind.ts';
import { readMeta, writeMeta } from '../../src/offline/storage/meta.ts';
import { contractOnlyBackend } from './support/backends.ts';
import { Device } from './support/device.ts';
import { cut, json, page } from './support/offline-world.ts';

const HOUR = 60 * 60_000;
const KNOWN: Capabilities = { ...CONTRACT_ONLY, server: 'voltdesk', idempotencyKeys: true };

/** A device that learned the server's capabilities this long ago, and the paths that it requests from now on. */
async function toldBefore(milliseconds: number, answer = json(404, { message: 'Not found.' })) {
  const device = new Device(contractOnlyBackend());
  const environment = device.environment();
  const asked: string[] = [];
  device.wire = async ({ url }) => {
    asked.push(new URL(url).pathname);
    return answer();
  };
  await writeMeta(environment.outbox, 'capabilities', { at: device.time - milliseconds, told: KNOWN });
  return { device, environment, asked };
}

describe('the known capabilities of a server', () => {
  test.each<[string, number, boolean]>([
    ['just now', 0, true],
    ['less than an hour ago', HOUR - 1, true],
    ['an hour ago', HOUR, false],
    ['in the future, since the clock was set back', -1, false],
  ])('learned %s are used: %s', async (_when, milliseconds, isBelieved) => {
    const { device, environment, asked } = await toldBefore(milliseconds);
    const reached = await reachServer(environment, undefined, 'token');
    expect([reached, asked]).toEqual(
      isBelieved ? [{ server: KNOWN }, []] : [{ server: CONTRACT_ONLY }, ['/api/capabilities']],
    );
    const noted = await readMeta(environment.outbox, 'capabilities');
    if (!isBelieved) expect(noted).toEqual({ at: device.time, told: CONTRACT_ONLY });
  });

  test('is not replaced by a page that says the request took too long: the whole queue waits', async () => {
    const { environment } = await toldBefore(HOUR, page(408));
    expect(await reachServer(environment, undefined, 'token')).toMatchObject({ fault: { kind: 'unreachable' } });
  });

  test('are requested again after a bad link or offline, but not after a busy server', async () => {
    const asks = async (online: boolean, cause: 'unreachable' | 'busy') => {
      const { device, environment, asked } = await toldBefore(0, cut);
      device.online = online;
      const pause = { cause, since: 0, until: 1, failures: 1 };
      const reached = await reachServer(environment, pause, 'token');
      return [asked.length, 'fault' in reached && reached.fault.kind];
    };
    expect(await asks(true, 'busy')).toEqual([0, false]);
    expect(await asks(true, 'unreachable')).toEqual([1, 'unreachable']);
    expect(await asks(false, 'busy')).toEqual([1, 'unreachable']);
  });
});
