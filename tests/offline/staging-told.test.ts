import { describe, expect, test } from 'vitest';
import type { FileReference } from '../../src/domain/outbox/vocabulary.ts';
import { CONTRACT_ONLY } from '../../src/domain/protocol/capabilities.ts';
import { beginUpload, continueUpload } from '../../src/offline/sender/staging.ts';
import { contractOnlyBackend } from './support/backends.ts';
import { Device } from './support/device.ts';
import { cut, json, page } from './support/offline-world.ts';

const FILE: FileReference = {
  id: 'file',
  field: 'catalog',
  name: 'a.pdf',
  type: 'application/pdf',
  size: 600_000,
  sha256: 'ab'.repeat(32),
};

const SPOKEN = { 'Tus-Resumable': '1.0.0' };

/** An answer of the server's staging. */
const staging = (status: number, headers: Record<string, string> = {}) => {
  return () => new Response(status === 204 ? null : '', { status, headers: { ...SPOKEN, ...headers } });
};

/** A sender to a server that always gives this answer, and the requests that it gets. */
function sending(answer: () => Response) {
  const device = new Device(contractOnlyBackend());
  device.cookies.set('XSRF-TOKEN', 'a%3Db');
  const requests: Request[] = [];
  device.wire = async (request) => {
    requests.push(request);
    return answer();
  };
  const session = { administrator: '1', name: '', token: 'token', rememberAcrossRestarts: true };
  const environment = device.environment();
  const sender = { environment, fence: 1, session, server: CONTRACT_ONLY, travel: undefined, stops: () => false };
  return { device, sender, requests };
}

describe('an answer to a piece', () => {
  test.each<[string, () => Response, object]>([
    ['an offset is the number of bytes stored', staging(204, { 'Upload-Offset': '300' }), { is: 'at', offset: 300 }],
    [
      'a conflicting offset is the number of bytes stored',
      staging(409, { 'Upload-Offset': '7' }),
      { is: 'at', offset: 7 },
    ],
    ['the staging does not know the file', staging(404), { is: 'absent' }],
    ['the bytes did not match the hash', staging(460), { is: 'wrong' }],
    ['the server is full', json(507, { message: 'Full.' }, SPOKEN), { is: 'full', message: 'Full.' }],
    ['an unknown path', json(404, { message: 'Not found.' }), { is: 'blocked' }],
    ['an unsupported method', json(405, { message: 'No.' }), { is: 'blocked' }],
    ['not implemented', json(501, { message: 'No.' }), { is: 'blocked' }],
    ['a proxy’s refusal', page(413), { is: 'blocked' }],
    ['the staging’s own refusal', json(405, { message: 'No.' }, SPOKEN), { is: 'refused', reason: { status: 405 } }],
    ['nothing', cut, { is: 'untold', outcome: { kind: 'uncertain' } }],
    ['a portal’s page', page(200), { is: 'untold', outcome: { kind: 'unreachable', portal: true } }],
    ['a session that has ended', json(401, {}, SPOKEN), { is: 'untold', outcome: { kind: 'signed-out' } }],
    ['a server error', json(500, {}, SPOKEN), { is: 'untold', outcome: { kind: 'uncertain', status: 500 } }],
    ['a server error with an offset', staging(500, { 'Upload-Offset': '300' }), { is: 'untold' }],
    ['a success without an offset', json(200, {}), { is: 'untold', outcome: { kind: 'unreachable' } }],
    ['a conflict about a version', json(412, {}, SPOKEN), { is: 'untold', outcome: { kind: 'unreachable' } }],
    [
      'a file that no field accepts',
      json(415, { message: 'No video.' }, SPOKEN),
      { is: 'refused', reason: { status: 415, message: 'No video.' } },
    ],
    [
      'a file that is too large',
      json(413, { message: 'Too large.' }, SPOKEN),
      { is: 'refused', reason: { code: 'too-large', message: 'Too large.' } },
    ],
  ])('%s', async (_what, answer, told) => {
    const { sender } = sending(answer);
    expect(await continueUpload(sender, FILE, 0, new ArrayBuffer(8))).toMatchObject(told);
  });
});

describe('a staging request', () => {
  test('to start names the file by hash and length, speaks tus and carries the session', async () => {
    const { sender, requests } = sending(staging(201, { 'Upload-Offset': '0' }));
    expect(await beginUpload(sender, FILE)).toEqual({ is: 'at', offset: 0 });
    const [request] = requests;
    expect([request?.method, new URL(request?.url ?? '').pathname]).toEqual(['POST', '/api/staging']);
    expect(Object.fromEntries(request?.headers ?? [])).toMatchObject({
      'tus-resumable': '1.0.0',
      'upload-length': '600000',
      'upload-metadata': `sha256 ${btoa(FILE.sha256)}`,
      authorization: 'Bearer token',
      'x-xsrf-token': 'a=b',
    });
  });

  test('with a piece gives its offset, and allows for an overlap', async () => {
    const { sender, requests } = sending(staging(204, { 'Upload-Offset': '308' }));
    await continueUpload(sender, FILE, 300, new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]).buffer);
    const [request] = requests;
    expect([request?.method, new URL(request?.url ?? '').pathname]).toEqual(['PATCH', `/api/staging/${FILE.sha256}`]);
    expect(Object.fromEntries(request?.headers ?? [])).toMatchObject({
      'tus-resumable': '1.0.0',
      'upload-offset': '300',
      'upload-may-overlap': '1',
      'content-type': 'application/offset+octet-stream',
    });
    expect([...new Uint8Array((await request?.arrayBuffer()) ?? new ArrayBuffer(0))]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('has a longer time-out for a large piece, and twenty seconds for a question', async () => {
    const never = () => new Promise<never>(() => {});
    const waited = async (ask: (sender: ReturnType<typeof sending>['sender']) => Promise<unknown>) => {
      const { device, sender } = sending(staging(204));
      const began = device.time;
      let isOut = false;
      device.wire = () => {
        isOut = true;
        return never();
      };
      const asked = ask(sender);
      await expect.poll(() => isOut).toBe(true);
      const [timer] = device.timers;
      device.pass((timer?.at ?? began) - began);
      expect(await asked).toMatchObject({ is: 'untold', outcome: { kind: 'uncertain' } });
      return device.time - began;
    };
    const question = await waited((sender) => beginUpload(sender, FILE));
    const small = await waited((sender) => continueUpload(sender, FILE, 0, new ArrayBuffer(1024)));
    const large = await waited((sender) => continueUpload(sender, FILE, 0, new ArrayBuffer(4 * 1024 * 1024)));
    expect(question).toBe(20_000);
    expect(large).toBeGreaterThan(small);
  });
});
