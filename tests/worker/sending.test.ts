import { describe, expect, test } from 'vitest';
import { sendOnMessage, sendOnSync } from '../../sw/sending.ts';
import { updateWhenAsked } from '../../sw/updates.ts';
import { handoverSignal } from '../../src/offline/sender/worker-handover.ts';
import { SYNC_TAG, type WorkerMessage } from '../../src/offline/sender/worker-messages.ts';
import { writeMeta } from '../../src/offline/storage/meta.ts';
import { rememberSession } from '../../src/offline/storage/session.ts';
import { generatorDraft } from '../offline/support/drafts.ts';
import { cut, json, OfflineWorld } from '../offline/support/offline-world.ts';
import { FakeScope } from './support/fake-scope.ts';

/** A worker that starts on a device with one waiting change. */
async function worker(mark: string) {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft(mark));
  const scope = new FakeScope();
  const environment = world.device.environment();
  sendOnMessage(scope, environment);
  sendOnSync(scope, environment);
  updateWhenAsked(scope, environment);
  const tell = (message: WorkerMessage) => scope.fire('message', { data: message });
  return { world, scope, environment, tell };
}

const sync = (scope: FakeScope, tag = SYNC_TAG) => scope.fire('sync', { tag });

/** The link has been bad for a while: the queue waits for this many milliseconds. */
function pauseFor({ device: { time }, page: { outbox } }: OfflineWorld, milliseconds: number) {
  return writeMeta(outbox, 'pause', { cause: 'unreachable', since: time, until: time + milliseconds, failures: 5 });
}

describe('a worker woken by a page', () => {
  test('stays alive until everything is sent', async () => {
    const { world, tell } = await worker('awake');
    const event = tell({ type: 'DRAIN' });
    expect(event.isHeld).toBe(true);
    await event.over();
    expect(await world.waiting()).toEqual([]);
    expect(world.sent).toHaveLength(1);
  });

  test('registers a sync before it sends the first byte', async () => {
    const { world, scope, tell } = await worker('asked-first');
    const asked: number[] = [];
    world.onChanges(async (request, pass) => {
      asked.push(scope.syncTags.length);
      return pass(request);
    });
    await tell({ type: 'DRAIN' }).over();
    expect(asked).toEqual([1]);
    expect(scope.syncTags).toEqual([SYNC_TAG]);
  });

  test('registers a sync and sends nothing when the page sends', async () => {
    const { world, scope, tell } = await worker('watched');
    const event = tell({ type: 'WATCH' });
    expect(event.isHeld).toBe(true);
    await event.over();
    expect(scope.syncTags).toEqual([SYNC_TAG]);
    expect(world.sent).toEqual([]);
  });

  test('registers no sync when the signed-in administrator has nothing waiting', async () => {
    const { world, scope, tell } = await worker('nothing');
    await rememberSession({ administrator: '99', name: 'Omar', token: 't', rememberAcrossRestarts: true }, world.page);
    await tell({ type: 'WATCH' }).over();
    await tell({ type: 'DRAIN' }).over();
    expect(scope.syncTags).toEqual([]);
  });

  test.each([
    ['has no Background Sync', (scope: FakeScope) => delete scope.registration.sync],
    [
      'was told to allow none',
      (scope: FakeScope) => {
        scope.registration.sync = { register: async () => Promise.reject(new DOMException('', 'NotAllowedError')) };
      },
    ],
  ])('still sends in a browser that %s', async (what, refuse) => {
    const { world, scope, tell } = await worker(what);
    refuse(scope);
    await tell({ type: 'DRAIN' }).over();
    expect(await world.waiting()).toEqual([]);
  });

  test('does not cut short the wait for a bad link', async () => {
    const { world, tell } = await worker('still-bad');
    await pauseFor(world, 60_000);
    await tell({ type: 'DRAIN' }).over();
    expect(world.sent).toEqual([]);
  });
});

describe('a sync event', () => {
  test('sends with every page closed, and ends when all is sent', async () => {
    const { world, scope } = await worker('synced');
    const event = sync(scope);
    expect(event.isHeld).toBe(true);
    await event.over();
    expect(await world.waiting()).toEqual([]);
  });

  test('ends a wait caused by a bad link', async () => {
    const { world, scope } = await worker('link-back');
    await pauseFor(world, 60_000);
    await sync(scope).over();
    expect(await world.waiting()).toEqual([]);
  });

  test('fails while a change has to wait, so that the browser repeats it', async () => {
    const { world, scope } = await worker('later');
    world.answerChanges(json(503, { message: 'Busy.' }, { 'retry-after': '3600' }));
    await expect(sync(scope).over()).rejects.toThrow('Not all sent');
  });

  test('fails while the link is bad', async () => {
    const { world, scope } = await worker('bad');
    world.onChanges(async () => cut());
    const event = sync(scope);
    await expect.poll(() => world.device.timers.size).toBeGreaterThan(0);
    // the short waits of the first backoffs are waited out
    const passing = setInterval(() => world.device.pass(20_000), 5);
    await expect(event.over()).rejects.toThrow('Not all sent');
    clearInterval(passing);
  });

  test('fails while another sender is at work, since a page that is killed would have no successor', async () => {
    const { world, scope } = await worker('elsewhere');
    const { drained, letGo } = await world.drainHalfWay();
    await expect(sync(scope).over()).rejects.toThrow('Not all sent');
    letGo();
    await drained;
  });

  test('succeeds when all that waits needs the administrator', async () => {
    const { world, scope } = await worker('refused');
    world.answerChanges(json(422, { message: 'No.', errors: {} }));
    await sync(scope).over();
    expect(await world.waiting()).toMatchObject([{ state: 'attention' }]);
  });

  test('with another tag is ignored', async () => {
    const { world, scope } = await worker('other-tag');
    expect(sync(scope, 'something else').isHeld).toBe(false);
    expect(world.sent).toEqual([]);
  });
});

describe('a new version', () => {
  test('takes over only when told to', async () => {
    const { scope, tell } = await worker('skip');
    tell({ type: 'DRAIN' });
    tell({ type: 'WATCH' });
    tell({ type: 'GIVE_WAY', milliseconds: 1_000 });
    expect(scope.skippedWaiting).toBe(0);
    tell({ type: 'SKIP_WAITING' });
    expect(scope.skippedWaiting).toBe(1);
  });

  test('makes the active worker hand over for the given time, but no page', async () => {
    const { world, environment, tell } = await worker('way');
    tell({ type: 'GIVE_WAY', milliseconds: 60_000 });
    expect(handoverSignal(environment).aborted).toBe(true);
    expect(handoverSignal(world.page).aborted).toBe(false);
    world.device.pass(59_999);
    await tell({ type: 'DRAIN' }).over();
    expect(world.sent).toEqual([]);
    world.device.pass(1);
    await tell({ type: 'DRAIN' }).over();
    expect(world.sent).toHaveLength(1);
  });
});
