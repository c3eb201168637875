import { beforeEach, describe, expect, test } from 'vitest';
import { queueState } from '../../src/offline/outbox/queries.ts';
import { readMeta } from '../../src/offline/storage/meta.ts';
import { heavyDraft } from './support/drafts.ts';
import { cut, json, OfflineWorld } from './support/offline-world.ts';

const KB = 1024;
const STAGING = '/api/staging';

let world: OfflineWorld;

beforeEach(async () => {
  world = await OfflineWorld.begin('own');
});

/** Something else is seen than the server's answer to the requests of one kind that bring files ahead. */
function stagingAnswers(method: 'POST' | 'PATCH', answer: () => Response): void {
  world.device.wire = async (request, pass) =>
    request.method === method && new URL(request.url).pathname.startsWith(STAGING) ? answer() : pass(request);
}

/** How long the queue waits, and how long the file does, in milliseconds. */
async function waits() {
  const now = world.page.now();
  const [upload] = (await queueState(world.page)).travel?.uploads.values() ?? [];
  const pause = await readMeta(world.page.outbox, 'pause');
  return { queue: (pause?.until ?? now) - now, file: (upload?.notBefore ?? now) - now };
}

/** Sends over a link that answers nothing at all, so many times. */
async function deadLink(times: number): Promise<void> {
  world.device.wire = async () => cut();
  for (let time = 0; time < times; time += 1) {
    world.device.pass(5 * 60_000);
    await world.drain();
  }
  world.device.pass(5 * 60_000);
}

describe('where a file cannot go ahead of its change', () => {
  test('the queue waits the shortest over a link that has just carried a question, however long it was dead before', async () => {
    await world.save(heavyDraft('dead before', 400 * KB));
    await deadLink(3);
    expect((await readMeta(world.page.outbox, 'pause'))?.failures).toBe(3);
    stagingAnswers('POST', cut);
    await world.drain();
    expect((await waits()).queue).toBe(1_500);
  });

  test('the queue waits as long as the server says, and the file no longer than that', async () => {
    await world.save(heavyDraft('busy', 400 * KB));
    stagingAnswers('PATCH', json(503, { message: 'Busy.' }, { 'retry-after': '40' }));
    await world.drain();
    expect(await waits()).toEqual({ queue: 40_000, file: 0 });
  });

  test('only the file waits while the server has no room for it', async () => {
    await world.save(heavyDraft('no room', 400 * KB));
    stagingAnswers('POST', json(507, { message: 'Too much is waiting there.' }));
    await world.drain();
    expect(await waits()).toEqual({ queue: 0, file: 1_500 });
    const [upload] = (await queueState(world.page)).travel?.uploads.values() ?? [];
    expect(upload?.message).toBe('Too much is waiting there.');
    await world.linkReturns();
    expect(await world.waiting()).toEqual([]);
  });
});
