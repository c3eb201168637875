import { describe, expect, test } from 'vitest';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { ReadFault, readerOf } from '../../src/offline/sender/reading.ts';
import { contractOnlyBackend } from './support/backends.ts';
import { Device } from './support/device.ts';

const SESSION = { administrator: '1', name: '', token: 'token', rememberAcrossRestarts: true };
const PICTURE = { headers: { 'content-type': 'image/jpeg' } };

/** Reads from a server that always gives this answer. */
function reading(answer: (request: Request) => Response) {
  const device = new Device(contractOnlyBackend());
  device.wire = async (request) => answer(request);
  return readerOf({ environment: device.environment(), session: SESSION });
}

describe('a record', () => {
  const partners = resourceOf('partners');
  const json = (status: number, body: unknown) => () => Response.json(body, { status });

  test('is returned as the server holds it', async () => {
    expect(await reading(json(200, { id: 7, name: 'Acme' })).record(partners, '7')).toEqual({ id: 7, name: 'Acme' });
  });

  test('is gone only when the server itself says so', async () => {
    expect(await reading(json(404, { message: 'Gone.' })).record(partners, '7')).toBeUndefined();
  });

  test.each([
    ['a page with a 404', () => new Response('<p>Not here</p>', { status: 404 })],
    ['a server error', json(500, { message: 'Broken.' })],
    ['a gateway’s answer', json(502, { message: 'Nobody there.' })],
    ['a session that has ended', json(401, { message: 'Unauthenticated.' })],
    ['an empty body', () => new Response('', { headers: { 'content-type': 'application/json' } })],
    ['a string in its place', json(200, 'Acme')],
    ['null in its place', json(200, null)],
  ])('is not decided by %s', async (_what, answer) => {
    await expect(reading(answer).record(partners, '7')).rejects.toThrow(ReadFault);
  });

  test('that is being changed makes no single change wait, since a read is not about one', async () => {
    const asked = reading(json(409, { code: 'in-flight' })).record(partners, '7');
    await expect(asked).rejects.toMatchObject({ outcome: { kind: 'unreachable' } });
  });

  test.each([
    ['a conflict', json(412, { message: 'Changed.' })],
    ['a success without the record', json(200, 'Saved.')],
  ])('that comes as %s says nothing about any change', async (_what, answer) => {
    await expect(reading(answer).record(partners, '7')).rejects.toMatchObject({ outcome: { kind: 'unreachable' } });
  });
});

describe('a stored file', () => {
  test('is identified by the hash of its bytes', async () => {
    const hash = await reading(() => new Response('abc', PICTURE)).sha256('a.jpg');
    expect(hash).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  test.each([404, 410])('that the server has lost is missing (%i)', async (status) => {
    const isUser = ({ url }: Request) => new URL(url).pathname === '/api/user';
    const lost = (request: Request) => (isUser(request) ? Response.json({ id: 1 }) : new Response(null, { status }));
    expect(await reading(lost).sha256('a.jpg')).toBeUndefined();
  });

  test.each([404, 410])('is not decided while a proxy says %i of everything', async (status) => {
    const answer = () => new Response('<p>Not found</p>', { status, headers: { 'content-type': 'text/html' } });
    await expect(reading(answer).sha256('a.jpg')).rejects.toThrow(ReadFault);
  });

  test.each([
    ['a page in its place', () => new Response('<p>Sign in</p>', { headers: { 'content-type': 'text/html' } })],
    ['JSON in its place', () => Response.json({ message: 'No.' })],
    ['an empty body', () => new Response('', PICTURE)],
    ['an error', () => new Response('abc', { ...PICTURE, status: 500 })],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: '/login' } })],
  ])('that comes with %s is not decided', async (_what, answer) => {
    await expect(reading(answer).sha256('a.jpg')).rejects.toThrow(ReadFault);
  });

  test('is not taken from a redirect, since a login page may show a picture', async () => {
    const device = new Device(contractOnlyBackend());
    device.wire = async ({ redirect }) =>
      redirect === 'manual' ? new Response(null, { status: 302 }) : new Response('abc', PICTURE);
    const asked = readerOf({ environment: device.environment(), session: SESSION }).sha256('a.jpg');
    await expect(asked).rejects.toThrow(ReadFault);
  });

  test('that stalls times out', async () => {
    const device = new Device(contractOnlyBackend());
    device.wire = () => new Promise(() => {});
    const asked = readerOf({ environment: device.environment(), session: SESSION }).sha256('a.jpg');
    let isGivenUp = false;
    asked.catch(() => (isGivenUp = true));
    device.pass(55_000);
    await new Promise((resolve) => setTimeout(resolve));
    expect(isGivenUp).toBe(false);
    device.pass(5_000);
    await expect(asked).rejects.toThrow(ReadFault);
  });
});
