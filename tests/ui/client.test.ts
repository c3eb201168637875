import { beforeEach, describe, expect, it, vi } from 'vitest';
import { get, post } from '../../src/api/client.ts';
import { messageOf } from '../../src/api/failure.ts';
import { catalogue as german } from '../../src/language/de.ts';
import { speak } from '../../src/language/t.ts';
import { useConnection } from '../../src/stores/connection.ts';
import { useServerAbilities } from '../../src/stores/server-abilities.ts';
import { startSession, useSession } from '../../src/stores/session.ts';

interface Sent {
  readonly method?: string;
  readonly url?: string;
  readonly headers: Record<string, string>;
}

interface Reply {
  readonly status: number;
  readonly data?: unknown;
  readonly type?: string;
  readonly etag?: string;
}

const queue = vi.hoisted(() => ({ state: undefined as { waiting: number } | undefined }));

vi.mock('../../src/api/live.ts', () => ({ liveQueueState: { value: () => queue.state } }));

const report = vi.hoisted(() => ({ due: undefined as string | undefined, told: [] as unknown[] }));

vi.mock('../../src/api/device-report.ts', () => ({
  dueReport: () => report.due,
  noteReported: (...told: unknown[]) => report.told.push(told),
}));

const wire = vi.hoisted(() => ({ sent: [] as Sent[], replies: [] as (Reply | 'cut')[] }));

/** The real axios with a fake transport. */
vi.mock('axios', async (original) => {
  const axios = await original<typeof import('axios')>();
  const adapter = async (config: Sent) => {
    wire.sent.push(config);
    const given = wire.replies.shift() ?? 'cut';
    if (given === 'cut') throw new Error('Network Error');
    const { status, data, type = 'application/json', etag } = given;
    return { status, statusText: '', data, config, headers: { 'content-type': type, ...(etag && { etag }) } };
  };
  return { ...axios, create: (config: object) => axios.create({ ...config, adapter: adapter as never }) };
});

const html: Reply = { status: 200, data: '<html>Sign in to this network</html>', type: 'text/html' };

function reply(...replies: (Reply | 'cut')[]): void {
  wire.replies.push(...replies);
}

beforeEach(() => {
  wire.sent.length = 0;
  wire.replies.length = 0;
  useConnection.setState({ radio: true, answers: true });
  startSession({ id: 7, name: 'Nadia' }, 'token-1', true);
});

describe('a request', () => {
  it('carries the XMLHttpRequest marker, an Accept header for JSON and the token', async () => {
    reply({ status: 200, data: [] });
    await get('/api/get-generators');
    expect(wire.sent[0]?.headers).toMatchObject({
      Accept: 'application/json',
      'X-Requested-With': 'XMLHttpRequest',
      Authorization: 'Bearer token-1',
    });
  });

  it('sends the ETag, and reports that nothing changed', async () => {
    reply({ status: 304, etag: '"8"' });
    expect(await get('/api/get-generators', '"8"')).toEqual({ body: undefined, etag: '"8"' });
    expect(wire.sent[0]?.headers['If-None-Match']).toBe('"8"');
  });

  it('returns the new ETag with a changed answer', async () => {
    reply({ status: 200, data: [], etag: '"9"' });
    expect(await get('/api/get-generators', '"8"')).toEqual({ body: [], etag: '"9"' });
  });

  it.each([
    ['the number of waiting changes, including zero', true, { waiting: 0 }, '0'],
    ['no number before it is known', true, undefined, undefined],
    ['no number to a server that lists no sessions', false, { waiting: 3 }, undefined],
  ])('reports %s', async (_, people, state, told) => {
    queue.state = state;
    useServerAbilities.setState({ people });
    reply({ status: 200, data: [] });
    await get('/api/get-generators');
    expect(wire.sent[0]?.headers['X-Waiting-Changes']).toBe(told);
  });

  it('reports a device beside the number of changes, and notes only what the server has received', async () => {
    queue.state = { waiting: 2 };
    report.told.length = 0;
    report.due = 'device-one v - - -';
    useServerAbilities.setState({ people: true });
    reply({ status: 500, data: { message: 'No.' } }, { status: 200, data: [] });
    await get('/api/get-generators').catch(() => undefined);
    expect(report.told).toEqual([]);
    await get('/api/get-generators');
    expect(wire.sent[1]?.headers['X-Device']).toBe('device-one v - - -');
    expect(report.told).toEqual([['device-one v - - -', 2]]);
    report.due = undefined;
    reply({ status: 200, data: [] });
    await get('/api/get-generators');
    expect(wire.sent[2]?.headers['X-Device']).toBeUndefined();
  });

  it('fetches a new anti-forgery cookie once and is repeated', async () => {
    reply(
      { status: 419, data: { message: 'CSRF token mismatch.' } },
      { status: 200, data: {} },
      { status: 200, data: 1 },
    );
    expect(await post('/api/logout')).toEqual({ body: 1 });
    expect(wire.sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'post /api/logout',
      'get /api/user',
      'post /api/logout',
    ]);
  });

  it('fails when the repeated one is refused as well', async () => {
    const refused = { status: 419, data: { message: 'CSRF token mismatch.' } };
    reply(refused, { status: 200, data: {} }, refused);
    await expect(post('/api/logout')).rejects.toMatchObject({ kind: 'refused', message: 'CSRF token mismatch.' });
  });
});

describe('an answer', () => {
  it.each([
    ['a portal’s page with status 200', html],
    ['no answer', 'cut'],
    ['a gateway whose server is away', { status: 502, data: { message: 'The back end is away.' } }],
  ] as const)('does not count as the server’s: %s', async (_, given) => {
    reply(given);
    await expect(get('/api/user')).rejects.toMatchObject({ kind: 'unreachable' });
    expect(useConnection.getState().answers).toBe(false);
    expect(useSession.getState().ended).toBe(false);
  });

  it('of a gateway whose server is down keeps its message', async () => {
    reply({ status: 502, data: { message: 'The back end is away.' } });
    await expect(get('/api/user')).rejects.toThrow('The back end is away.');
  });

  it('that requires a fresh sign-in is distinguished from other refusals', async () => {
    reply({ status: 403, data: { message: 'Sign in again to change this.', code: 'sign-in-again' } });
    await expect(post('/api/security/authenticator')).rejects.toMatchObject({ kind: 'sign-in-again' });
    expect(useSession.getState().ended).toBe(false);
  });

  it('that is a network’s sign-in page is reported as such', async () => {
    reply(html);
    await expect(get('/api/user')).rejects.toThrow('This Wi-Fi needs a sign-in.');
    expect(useConnection.getState().portal).toBe(true);
    reply('cut');
    await expect(get('/api/user')).rejects.toThrow('Can’t reach the server.');
    expect(useConnection.getState().portal).toBe(false);
  });

  it('of 401 does not end a session that started after its request', async () => {
    reply({ status: 401, data: { message: 'Unauthenticated.' } });
    const asked = get('/api/user');
    startSession({ id: 8, name: 'Omar' }, 'token-2', true);
    await expect(asked).rejects.toMatchObject({ kind: 'signed-out' });
    expect(useSession.getState()).toMatchObject({ token: 'token-2', ended: false });
  });

  it('of 401 ends the session, unlike one of 403', async () => {
    reply({ status: 403, data: { message: 'No.' } }, { status: 401, data: { message: 'Unauthenticated.' } });
    await expect(get('/api/user')).rejects.toMatchObject({ kind: 'refused' });
    expect(useSession.getState().ended).toBe(false);
    await expect(get('/api/user')).rejects.toMatchObject({ kind: 'signed-out' });
    expect(useSession.getState().ended).toBe(true);
  });

  it('of 422 returns the errors of the fields', async () => {
    const errors = { email: ['These credentials do not match our records.'] };
    reply({ status: 422, data: { message: 'The given data was invalid.', errors } });
    await expect(post('/api/auth/login', {})).rejects.toMatchObject({ kind: 'invalid', errors });
  });

  it('of 404 means that something is missing only in the server’s own JSON', async () => {
    reply({ ...html, status: 404 }, { status: 404, data: { message: 'Gone.' } });
    await expect(get('/api/get-single-generator/7')).rejects.toMatchObject({ kind: 'unreachable' });
    expect(useConnection.getState().answers).toBe(false);
    await expect(get('/api/get-single-generator/7')).rejects.toMatchObject({ kind: 'missing' });
    expect(useConnection.getState().answers).toBe(true);
  });

  it('is translated into the user’s language', async () => {
    speak(german);
    reply({ status: 404, data: { message: 'This image no longer exists.' } });
    await expect(get('/api/get-single-generator/7')).rejects.toThrow('Dieses Bild gibt es nicht mehr.');
    reply('cut', { status: 504 }, html);
    await expect(get('/api/user')).rejects.toThrow('Server nicht erreichbar.');
    await expect(get('/api/user')).rejects.toThrow('Server nicht erreichbar.');
    await expect(get('/api/user')).rejects.toThrow('WLAN-Anmeldung nötig.');
    expect(messageOf(new Error('Can’t reach the server.'))).toBe('Server nicht erreichbar.');
    speak(undefined);
  });

  it('without a message gets a default one', async () => {
    reply({ status: 413, data: { message: '' } });
    await expect(post('/api/site-meta')).rejects.toMatchObject({ message: 'The server answered with an error (413).' });
  });
});
