import { describe, expect, test } from 'vitest';
import { type Capabilities, CONTRACT_ONLY } from '../../src/domain/protocol/capabilities.ts';
import { reachServer } from '../../src/offline/sender/server-kind.ts';
import { readMeta, writeMeta } from '../../src/offline/storage/meta.ts';
import { contractOnlyBackend } from './support/backends.ts';
import { Device } from './support/device.ts';
import { cut, json } from './support/offline-world.ts';

const HOUR = 60 * 60_000;
const KNOWN: Capabilities = { ...CONTRACT_ONLY, server: 'voltdesk', idempotencyKeys: true };

/** A device that was told so long ago what the server is, and the paths that it asks from now on. */
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

describe('what a server told about itself', () => {
  test.each<[string, number, boolean]>([
    ['a moment ago', 0, true],
    ['less than an hour ago', HOUR - 1, true],
    ['an hour ago', HOUR, false],
    ['at a time that is still to come, since the clock was set back', -1, false],
  ])('%s is believed: %s', async (_when, milliseconds, isBelieved) => {
    const { device, environment, asked } = await toldBefore(milliseconds);
    const reached = await reachServer(environment, undefined, 'token');
    expect([reached, asked]).toEqual(
      isBelieved ? [{ server: KNOWN }, []] : [{ server: CONTRACT_ONLY }, ['/api/capabilities']],
    );
    const noted = await readMeta(environment.outbox, 'capabilities');
    if (!isBelieved) expect(noted).toEqual({ at: device.time, told: CONTRACT_ONLY });
  });

  test('is asked again after a bad link and where the browser tells of none, and not while the server says to wait', async () => {
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
