import { describe, expect, test } from 'vitest';
import { ReadFault, readerOf } from '../../src/offline/sender/reading.ts';
import { contractOnlyBackend } from './support/backends.ts';
import { Device } from './support/device.ts';

const SESSION = { administrator: '1', name: '', token: 'token', rememberAcrossRestarts: true };
const PICTURE = { headers: { 'content-type': 'image/jpeg' } };

/** Reads from a server that answers everything like this. */
function reading(answer: () => Response) {
  const device = new Device(contractOnlyBackend());
  device.wire = async () => answer();
  return readerOf({ environment: device.environment(), session: SESSION });
}

describe('a stored file', () => {
  test('is known by the hash of its bytes', async () => {
    const hash = await reading(() => new Response('abc', PICTURE)).sha256('a.jpg');
    expect(hash).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  test.each([404, 410])('that the server has lost is not there (%i)', async (status) => {
    expect(await reading(() => new Response(null, { status })).sha256('a.jpg')).toBeUndefined();
  });

  test.each([
    ['a page in its place', () => new Response('<p>Sign in</p>', { headers: { 'content-type': 'text/html' } })],
    ['JSON in its place', () => Response.json({ message: 'No.' })],
    ['nothing in it', () => new Response('', PICTURE)],
    ['an error', () => new Response('abc', { ...PICTURE, status: 500 })],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: '/login' } })],
  ])('that comes with %s cannot be told', async (_what, answer) => {
    await expect(reading(answer).sha256('a.jpg')).rejects.toThrow(ReadFault);
  });

  test('that stalls is given up in time', async () => {
    const device = new Device(contractOnlyBackend());
    device.wire = () => new Promise(() => {});
    const asked = readerOf({ environment: device.environment(), session: SESSION }).sha256('a.jpg');
    device.pass(60_000);
    await expect(asked).rejects.toThrow(ReadFault);
  });
});
