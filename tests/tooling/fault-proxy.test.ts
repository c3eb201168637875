import { Agent, createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FaultProxy } from '../harness/fault-proxy.ts';

/** What the server behind the proxy received, and what came back: how many bytes, and how it ended. */
interface Answer {
  readonly status: number;
  readonly text: string;
  readonly ended: 'whole' | 'cut';
}

describe('the proxy', () => {
  const taken: string[] = [];
  let server: Server;
  let proxy: FaultProxy;
  let agent: Agent;

  beforeEach(async () => {
    taken.length = 0;
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
    server = createServer((incoming, outgoing) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        taken.push(`${incoming.method} ${incoming.url} ${Buffer.concat(chunks).length}`);
        outgoing.end('0123456789'.repeat(10));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    proxy = await FaultProxy.start((server.address() as AddressInfo).port);
  });

  afterEach(async () => {
    agent.destroy();
    await proxy.close();
    server.closeAllConnections();
    server.close();
  });

  function send(method: string, path: string, body = '', by = agent): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-length': Buffer.byteLength(body) };
      const request = httpRequest(proxy.origin + path, { method, agent: by, headers }, (incoming) => {
        let text = '';
        const end = (ended: Answer['ended']) => resolve({ status: incoming.statusCode ?? 0, text, ended });
        incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
        incoming.on('end', () => end('whole'));
        incoming.on('error', () => end('cut'));
      });
      request.on('error', reject);
      request.end(body);
    });
  }

  it('passes everything on without a fault, and records the requests', async () => {
    const seen = proxy.next('POST /b');
    expect(await send('GET', '/a')).toMatchObject({ status: 200, ended: 'whole' });
    expect((await send('POST', '/b', 'x'.repeat(200_000))).text).toHaveLength(100);
    expect(taken).toEqual(['GET /a 0', 'POST /b 200000']);
    expect((await seen).body).toHaveLength(200_000);
    expect(proxy.requests.map((request) => request.line)).toEqual(['GET /a', 'POST /b']);
    expect(proxy.connections).toBe(1);
  });

  it('refuses connections, even kept-alive ones, until the fault is cleared', async () => {
    await send('GET', '/a');
    await proxy.refuse();
    await expect(send('GET', '/b')).rejects.toThrow(/socket hang up|ECONNRESET/);
    await expect(send('GET', '/b')).rejects.toThrow('ECONNREFUSED');
    await proxy.clear();
    expect((await send('GET', '/c')).ended).toBe('whole');
    expect(taken).toEqual(['GET /a 0', 'GET /c 0']);
  });

  it('swallows a request, and drops it when the fault is cleared', async () => {
    await proxy.strike({ kind: 'stall' });
    const swallowed = proxy.next('POST /a');
    const hanging = expect(send('POST', '/a', 'x')).rejects.toThrow();
    await swallowed;
    await proxy.clear();
    await hanging;
    expect(taken).toEqual([]);
  });

  it('swallows an answer after the server has done its work', async () => {
    await proxy.strike({ kind: 'stall-answer' }, { only: 'POST' });
    const hanging = expect(send('POST', '/a', 'x')).rejects.toThrow();
    await expect.poll(() => taken).toEqual(['POST /a 1']);
    await proxy.clear();
    await hanging;
  });

  it('cuts an answer before its first byte, after the server has done its work', async () => {
    await proxy.strike({ kind: 'cut-answer', after: 0 });
    await expect(send('POST', '/a', 'x')).rejects.toThrow();
    expect(taken).toEqual(['POST /a 1']);
  });

  it('cuts an answer after that many bytes', async () => {
    await proxy.strike({ kind: 'cut-answer', after: 200 });
    const cut = await send('GET', '/b');
    expect(cut.ended).toBe('cut');
    expect(cut.text.length).toBeGreaterThan(0);
    expect(cut.text.length).toBeLessThan(100);
  });

  it('cuts a request after that many bytes, so that the server never has it whole', async () => {
    await proxy.strike({ kind: 'cut-request', after: 500 });
    await expect(send('POST', '/a', 'x'.repeat(1000))).rejects.toThrow();
    expect(taken).toEqual([]);
  });

  it('answers in place of the server', async () => {
    const answer = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 5\r\n\r\nlogin';
    await proxy.strike({ kind: 'answer', answer });
    expect(await send('POST', '/a', 'x')).toEqual({ status: 200, text: 'login', ended: 'whole' });
    expect(taken).toEqual([]);
  });

  it('strikes only the given requests, that many times', async () => {
    await proxy.strike({ kind: 'cut-answer', after: 0 }, { only: 'POST /a', times: 1 });
    expect((await send('GET', '/a')).ended).toBe('whole');
    await expect(send('POST', '/a')).rejects.toThrow();
    expect((await send('POST', '/a')).ended).toBe('whole');
    expect(proxy.struck).toBe(1);
  });

  it('holds requests until they are released, the oldest first', async () => {
    await proxy.strike({ kind: 'hold' }, { only: 'POST' });
    const others = new Agent({ keepAlive: true });
    const sent = ['/a', '/b', '/c'].map(async (path) => {
      const held = proxy.next(`POST ${path}`);
      const answer = send('POST', path, 'x'.repeat(100_000), others);
      await held;
      return answer;
    });
    expect((await send('GET', '/d')).ended).toBe('whole');
    expect(taken).toEqual(['GET /d 0']);
    proxy.release(1);
    await expect.poll(() => taken).toHaveLength(2);
    proxy.release();
    for (const answer of await Promise.all(sent)) expect(answer.ended).toBe('whole');
    expect(taken.toSorted()).toEqual(['GET /d 0', 'POST /a 100000', 'POST /b 100000', 'POST /c 100000']);
    others.destroy();
  });

  it('receives a held request completely, in however many chunks it arrives', async () => {
    await proxy.strike({ kind: 'hold' });
    const held = proxy.next('POST /a');
    const answer = send('POST', '/a', 'x'.repeat(1_000_000));
    expect((await held).line).toBe('POST /a');
    expect(taken).toEqual([]);
    proxy.release();
    expect((await answer).ended).toBe('whole');
    expect(taken).toEqual(['POST /a 1000000']);
  });

  it('releases the next request in advance, and none whose connection was cut', async () => {
    await proxy.strike({ kind: 'hold' });
    const held = proxy.next('POST /a');
    const hanging = expect(send('POST', '/a', 'x')).rejects.toThrow();
    await held;
    proxy.cut();
    await hanging;
    proxy.release();
    expect((await send('POST', '/b', 'x')).ended).toBe('whole');
    expect(taken).toEqual(['POST /b 1']);
  });

  it('cuts again after each given number of bytes, until the fault is cleared', async () => {
    proxy.cutEach(150_000);
    expect((await send('POST', '/a', 'x'.repeat(100_000))).ended).toBe('whole');
    await expect(send('POST', '/b', 'x'.repeat(100_000))).rejects.toThrow();
    expect((await send('POST', '/c', 'x'.repeat(100_000))).ended).toBe('whole');
    await expect(send('POST', '/d', 'x'.repeat(100_000))).rejects.toThrow();
    await proxy.clear();
    expect((await send('POST', '/e', 'x'.repeat(200_000))).ended).toBe('whole');
    expect(taken).toEqual(['POST /a 100000', 'POST /c 100000', 'POST /e 200000']);
  });
});
