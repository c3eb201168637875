import { describe, expect, test } from 'vitest';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { ask } from '../../src/offline/sender/http.ts';
import { patienceOf } from '../../src/offline/sender/patience.ts';
import { readerOf } from '../../src/offline/sender/reading.ts';
import { contractOnlyBackend } from './support/backends.ts';
import { Device } from './support/device.ts';

const SESSION = { administrator: '1', name: '', token: 'token', rememberAcrossRestarts: true };
const never = () => new Promise<never>(() => {});

/** A device whose requests get this answer. */
function answering(answer: (request: Request) => Response | Promise<Response>) {
  const device = new Device(contractOnlyBackend());
  device.wire = async (request) => answer(request);
  return { device, environment: device.environment() };
}

/** Waits for the work with a limit of ten seconds. */
function waitingFor(work: Promise<string>) {
  const { device, environment } = answering(never);
  const patience = patienceOf(environment, 10_000);
  let ended: string | undefined;
  void patience.bound(work).then(
    (value) => (ended = value),
    () => (ended = 'given up'),
  );
  const after = async (milliseconds: number) => {
    device.pass(milliseconds);
    // settled work is reported before the next task
    await new Promise((resolve) => setImmediate(resolve));
    return ended;
  };
  return { device, patience, after };
}

describe('bounded work', () => {
  test('is given up at its limit, and aborted', async () => {
    const { patience, after } = waitingFor(never());
    expect([await after(9_999), patience.signal.aborted]).toEqual([undefined, false]);
    expect([await after(1), patience.signal.aborted]).toEqual(['given up', true]);
  });

  test('returns its result', async () => {
    const { after } = waitingFor(Promise.resolve('answer'));
    expect(await after(0)).toBe('answer');
  });

  test('gets more time from the moment it is renewed', async () => {
    const { patience, after } = waitingFor(never());
    expect(await after(9_000)).toBeUndefined();
    patience.renew(5_000);
    expect(await after(4_999)).toBeUndefined();
    expect(await after(1)).toBe('given up');
  });

  test('is not given up once it has ended, and leaves no timer behind', async () => {
    const { device, patience, after } = waitingFor(never());
    patience.end();
    expect(device.timers.size).toBe(0);
    expect([await after(60_000), patience.signal.aborted]).toEqual([undefined, false]);
  });
});

test('a request without an answer is given up after twenty seconds', async () => {
  const { device, environment } = answering(never);
  let answered: unknown = 'not yet';
  void ask(environment, '/api/user', 'token').then((answer) => (answered = answer));
  const after = async (milliseconds: number) => {
    device.pass(milliseconds);
    await new Promise((resolve) => setImmediate(resolve));
    return answered;
  };
  expect(await after(19_999)).toBe('not yet');
  expect(await after(1)).toBeUndefined();
});

describe('no timer is left', () => {
  test.each<[string, () => Response]>([
    ['answer', () => Response.json({ id: 7, name: 'Acme' })],
    ['refusal', () => Response.json({ message: 'Gone.' }, { status: 404 })],
  ])('after a request and its %s', async (_what, answer) => {
    const { device, environment } = answering(answer);
    await readerOf({ environment, session: SESSION }).record(resourceOf('partners'), '7');
    expect(device.timers.size).toBe(0);
  });

  test('after a request without an answer', async () => {
    const { device, environment } = answering(() => Promise.reject(new TypeError('No link.')));
    expect(await ask(environment, '/api/user', 'token')).toBeUndefined();
    expect(device.timers.size).toBe(0);
  });

  // the server answers for itself, so that a lost file is not one of a proxy's pages
  const isFile = ({ url }: Request) => url.includes('/uploads/');
  const lost = (request: Request) =>
    isFile(request) ? new Response(null, { status: 404 }) : Response.json({ id: 1, name: '' });

  test.each<[string, (request: Request) => Response]>([
    ['that is there', () => new Response('abc', { headers: { 'content-type': 'image/jpeg' } })],
    ['that is lost', lost],
  ])('after a stored file %s', async (_what, answer) => {
    const { device, environment } = answering(answer);
    await readerOf({ environment, session: SESSION }).sha256('a.jpg');
    expect(device.timers.size).toBe(0);
  });
});
