import { describe, expect, test } from 'vitest';
import { answerOf, toResponse } from './answers.ts';

describe('an answer that never ends', () => {
  const stalled = (signal: AbortSignal) =>
    toResponse(answerOf(200, { message: 'Done.' }), { stalledUntil: signal, fail: (work) => work() });

  test('fails once its request is aborted', async () => {
    const request = new AbortController();
    const text = stalled(request.signal).text();
    request.abort();
    await expect(text).rejects.toThrow('Given up.');
  });

  test('fails even if its request was aborted before it is read, by a page that was frozen', async () => {
    const request = new AbortController();
    request.abort();
    await expect(stalled(request.signal).text()).rejects.toThrow('Given up.');
  });
});
