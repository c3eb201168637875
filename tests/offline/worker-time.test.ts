import { describe, expect, test } from 'vitest';
import { type Drained, drain } from '../../src/offline/sender/drain.ts';
import { isLongInterrupted } from '../../src/offline/sender/overdue.ts';
import { rememberSession } from '../../src/offline/storage/session.ts';
import { drainAwake } from '../../src/offline/sender/drain-loop.ts';
import { generatorDraft, photo } from './support/drafts.ts';
import { cut, json, OfflineWorld } from './support/offline-world.ts';

const MINUTE = 60_000;
/** Bytes that a slow link carries in more than four minutes. */
const MUCH = 4_000_000;

/** Four waiting changes that take 90 seconds each; `meanwhile` runs as each is sent. */
async function slowQueue(meanwhile: (world: OfflineWorld) => void = () => {}) {
  const world = await OfflineWorld.begin();
  for (const mark of ['one', 'two', 'three', 'four']) await world.save(generatorDraft(`slow-${mark}`));
  world.onChanges(async (request, pass) => {
    meanwhile(world);
    world.device.time += 1.5 * MINUTE;
    return pass(request);
  });
  return world;
}

/** A create with an image of this many bytes. */
function withImageOf(bytes: number) {
  const draft = generatorDraft('heavy', 0);
  return { ...draft, files: [...draft.files, { ...photo('heavy'), blob: new Blob([new Uint8Array(bytes)]) }] };
}

describe('a worker that browsers stop after five minutes', () => {
  test('starts no change after four minutes, and leaves the rest unchanged', async () => {
    const world = await slowQueue();
    expect(await drainAwake(world.page)).toEqual({ until: world.device.time });
    expect(await world.done()).toHaveLength(3);
    expect(await world.waiting()).toMatchObject([{ state: 'pending', attempts: 0 }]);
  });

  test('continues when it was woken again meanwhile', async () => {
    let later: Promise<Drained> | undefined;
    const world = await slowQueue(({ sent, page }) => {
      if (sent.length === 2) later = drainAwake(page);
    });
    await drainAwake(world.page);
    expect(await world.waiting()).toHaveLength(1);
    await expect
      .poll(() => {
        // its time-out must not expire as soon as it is sent
        if (world.sent.length < 4) world.device.pass(0);
        return world.sent;
      })
      .toHaveLength(4);
    expect(await later).toEqual({});
    expect(await world.waiting()).toEqual([]);
  });

  test('keeps to the time of each event that waits for it', async () => {
    let awake: Promise<Drained> | undefined;
    const world = await slowQueue(({ page }) => {
      awake ??= drainAwake(page);
    });
    await drain(world.page);
    await awake;
    expect(await world.waiting()).toHaveLength(1);
  });
});

test('a page sends for as long as there is something to send', async () => {
  const world = await slowQueue();
  expect(await drain(world.page)).toEqual({});
  expect(await world.done()).toHaveLength(4);
});

describe('a change that takes longer than a worker lives, on a server without staging', () => {
  test('counts as interrupted once its attempt was cut, not before', async () => {
    const world = await OfflineWorld.begin('contract-only');
    await world.save(withImageOf(MUCH));
    expect(await isLongInterrupted(world.page, MINUTE)).toBe(false);
    world.onChanges(async () => cut());
    await world.drain();
    expect(await isLongInterrupted(world.page, MINUTE)).toBe(true);
  });

  test('counts as interrupted when it has been sending for a while, since its sender may be gone', async () => {
    const world = await OfflineWorld.begin('contract-only');
    await world.save(withImageOf(MUCH));
    world.onChanges(() => new Promise(() => {}));
    void world.drain();
    await expect.poll(() => world.sent).toHaveLength(1);
    expect(await isLongInterrupted(world.page, MINUTE)).toBe(false);
    world.device.time += MINUTE;
    expect(await isLongInterrupted(world.page, MINUTE)).toBe(true);
    // the clock is set back: how long it has been sending is unknown
    world.device.time -= 2 * 3_600_000;
    expect(await isLongInterrupted(world.page, MINUTE)).toBe(true);
  });

  test('is not another administrator’s to send', async () => {
    const world = await OfflineWorld.begin('contract-only');
    await world.save(withImageOf(MUCH));
    world.onChanges(async () => cut());
    await world.drain();
    await rememberSession({ administrator: '99', name: 'Omar', token: 't', rememberAcrossRestarts: true }, world.page);
    expect(await isLongInterrupted(world.page, MINUTE)).toBe(false);
  });

  test.each([
    ['carries little', withImageOf(1_000_000), cut],
    ['was refused', withImageOf(MUCH), json(422, { message: 'No.', errors: {} })],
  ])('does not count as interrupted when it %s', async (_what, draft, answer) => {
    const world = await OfflineWorld.begin('contract-only');
    await world.save(draft);
    world.onChanges(async () => answer());
    await world.drain();
    expect(await isLongInterrupted(world.page, MINUTE)).toBe(false);
  });
});
