import { describe, expect, test } from 'vitest';
import { generatorDraft } from './support/drafts.ts';
import { OfflineWorld } from './support/offline-world.ts';
import { untilSettled } from './support/until-settled.ts';

describe('an engine that does not abort a request', () => {
  const neverRead = ({ status, headers }: Response) => new Response(new ReadableStream({}), { status, headers });

  test.each<[string, 'own' | 'together', (response: Response) => Response | Promise<Response>]>([
    ['deaf-change', 'own', () => new Promise(() => {})],
    ['deaf-in-change', 'own', neverRead],
    ['deaf-batch', 'together', () => new Promise(() => {})],
    ['deaf-in-batch', 'together', neverRead],
  ])('does not block the queue (%s)', async (mark, kind, seen) => {
    const world = await OfflineWorld.begin(kind);
    const { fetch } = world.page;
    let carriedOut = 0;
    const deaf: typeof fetch = async (address, init) => {
      const response = await fetch(address, { ...init, signal: null });
      if (init.method !== 'POST') return response;
      carriedOut += 1;
      return carriedOut === 1 ? seen(response) : response;
    };
    Object.assign(world.page, { fetch: deaf });
    const marks = kind === 'own' ? [mark] : [`${mark}-1`, `${mark}-2`];
    for (const one of marks) await world.save(generatorDraft(one));
    const drained = world.drain();
    await expect.poll(() => carriedOut).toBe(1);
    expect(await untilSettled(drained, () => world.device.pass(10_000), 20)).toEqual({ passes: 4 });
    expect(await world.waiting()).toHaveLength(marks.length);
    await world.linkReturns();
    expect(await world.waiting()).toEqual([]);
    for (const one of marks) expect(await world.generators(one)).toHaveLength(1);
  });
});
