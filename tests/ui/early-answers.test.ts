import { afterEach, describe, expect, it, vi } from 'vitest';
import { askEarly, takeEarly } from '../../src/api/early-answers.ts';

const LIST = '/api/get-partners?first=100';

/** The server's answer to early requests. Returns the mock that records them. */
function serverAnswers(answer: () => Response | Promise<Response>) {
  localStorage.setItem('access_token', 'token');
  const asked = vi.fn(async (_path: string, _init: RequestInit) => answer());
  vi.stubGlobal('fetch', asked);
  return asked;
}

afterEach(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
});

describe('an early request', () => {
  it('is answered once, with its tag and the time of the request', async () => {
    const asked = serverAnswers(() => Response.json([{ id: 1 }], { headers: { ETag: '"7"' } }));
    const before = Date.now();
    askEarly(LIST);
    const answer = await takeEarly(LIST);
    expect(answer).toMatchObject({ body: [{ id: 1 }], etag: '"7"' });
    expect(answer?.askedAt).toBeGreaterThanOrEqual(before);
    expect(new Headers(asked.mock.calls[0]?.[1].headers).get('Authorization')).toBe('Bearer token');
    // the next look has to ask the server
    expect(await takeEarly(LIST)).toBeUndefined();
  });

  it('is dated by its start, however long the answer takes', async () => {
    const sent = Promise.withResolvers<Response>();
    serverAnswers(() => sent.promise);
    vi.useFakeTimers({ now: 1000 });
    askEarly(LIST);
    vi.setSystemTime(61_000);
    sent.resolve(Response.json([]));
    expect(await takeEarly(LIST)).toMatchObject({ askedAt: 1000 });
    vi.useRealTimers();
  });

  it.each([
    ['a page', () => new Response('<p>Sign in</p>', { headers: { 'Content-Type': 'text/html' } })],
    ['an error', () => Response.json({ message: 'Server Error' }, { status: 500 })],
    ['nothing', () => Promise.reject<Response>(new TypeError('Failed to fetch'))],
  ])('gives no answer when the server sent %s', async (_what, answer) => {
    serverAnswers(answer);
    askEarly(LIST);
    expect(await takeEarly(LIST)).toBeUndefined();
  });

  it('is not sent when nobody is signed in', async () => {
    const asked = serverAnswers(() => Response.json([]));
    localStorage.clear();
    askEarly(LIST);
    expect(await takeEarly(LIST)).toBeUndefined();
    expect(asked).not.toHaveBeenCalled();
  });
});
