import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fetchUpload, uploadFacts } from '../../src/api/uploads.ts';

const server = vi.fn<(address: string, init: RequestInit) => Promise<Response>>();

beforeEach(() => vi.stubGlobal('fetch', server));
afterEach(() => {
  vi.unstubAllGlobals();
  server.mockReset();
});

let files = 0;
/** The address of a file that has not been requested yet. */
const fresh = () => `/uploads/${(files += 1)}.pdf`;

const answers = (headers: Record<string, string>, status = 200) =>
  server.mockImplementation(async () => new Response(status === 200 ? null : 'x', { status, headers }));

describe('the facts of a stored file', () => {
  it('are requested once, without its bytes', async () => {
    answers({ 'Content-Length': '2048', 'Content-Disposition': 'inline; filename="Data sheet.pdf"' });
    const address = fresh();
    expect(await uploadFacts(address)).toEqual({ name: 'Data sheet.pdf', size: 2048 });
    expect(await uploadFacts(address)).toEqual({ name: 'Data sheet.pdf', size: 2048 });
    expect(server.mock.calls).toEqual([[address, { method: 'HEAD' }]]);
  });

  it('prefer the non-ASCII name to the ASCII one', async () => {
    answers({ 'Content-Disposition': `inline; filename="Gera_t.pdf"; filename*=UTF-8''Ger%C3%A4t%20%232.pdf` });
    expect(await uploadFacts(fresh())).toEqual({ name: 'Gerät #2.pdf' });
  });

  it('have no name if it is unreadable or missing', async () => {
    answers({ 'Content-Disposition': `inline; filename*=UTF-8''%E4`, 'Content-Length': '0' });
    expect(await uploadFacts(fresh())).toEqual({});
    answers({});
    expect(await uploadFacts(fresh())).toEqual({});
  });

  it('are empty for a missing file', async () => {
    answers({ 'Content-Length': '14', 'Content-Disposition': 'inline; filename="error.html"' }, 404);
    const address = fresh();
    await uploadFacts(address);
    server.mockClear();
    expect(await uploadFacts(address)).toEqual({});
    expect(server).not.toHaveBeenCalled();
  });

  it('are requested again after no answer, or one that is not the server’s', async () => {
    const address = fresh();
    server.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    expect(await uploadFacts(address)).toEqual({});
    answers({ 'Content-Length': '900', 'Content-Type': 'text/html' });
    expect(await uploadFacts(address)).toEqual({});
    answers({ 'Content-Length': '900' }, 503);
    expect(await uploadFacts(address)).toEqual({});
    answers({ 'Content-Length': '5' });
    expect(await uploadFacts(address)).toEqual({ size: 5 });
  });
});

describe('a stored file', () => {
  const { signal } = new AbortController();

  it('has its own name and type, or else the given name', async () => {
    const headers = { 'Content-Type': 'application/pdf', 'Content-Disposition': 'inline; filename="Sheet.pdf"' };
    server.mockImplementation(async () => new Response('bytes', { headers }));
    const file = await fetchUpload('/uploads/a.pdf', 'catalogue.pdf', signal);
    expect([file.name, file.type, await file.text()]).toEqual(['Sheet.pdf', 'application/pdf', 'bytes']);
    expect(server).toHaveBeenCalledWith('/uploads/a.pdf', { signal });
    server.mockImplementation(async () => new Response('bytes'));
    expect((await fetchUpload('/uploads/a.pdf', 'catalogue.pdf', signal)).name).toBe('catalogue.pdf');
  });

  it('that is gone is distinguished from an unreachable server and an interrupted answer', async () => {
    answers({}, 404);
    await expect(fetchUpload('/uploads/a.pdf', 'a.pdf', signal)).rejects.toMatchObject({ kind: 'missing' });
    answers({}, 410);
    await expect(fetchUpload('/uploads/a.pdf', 'a.pdf', signal)).rejects.toMatchObject({ kind: 'missing' });
    server.mockRejectedValue(new TypeError('Failed to fetch'));
    const unreached = { kind: 'unreachable', message: 'Can’t reach the server.' };
    await expect(fetchUpload('/uploads/a.pdf', 'a.pdf', signal)).rejects.toMatchObject(unreached);
    answers({}, 503);
    await expect(fetchUpload('/uploads/a.pdf', 'a.pdf', signal)).rejects.toMatchObject(unreached);
    const broken = new ReadableStream({ pull: (flow) => flow.error(new TypeError('network error')) });
    server.mockImplementation(async () => new Response(broken));
    await expect(fetchUpload('/uploads/a.pdf', 'a.pdf', signal)).rejects.toMatchObject({
      kind: 'unreachable',
      message: 'The connection was lost.',
    });
  });

  it('is not a network’s sign-in page', async () => {
    const headers = { 'Content-Type': 'text/html; charset=utf-8' };
    server.mockImplementation(async () => new Response('<html>', { headers }));
    await expect(fetchUpload('/uploads/a.pdf', 'a.pdf', signal)).rejects.toMatchObject({ kind: 'unreachable' });
  });
});
