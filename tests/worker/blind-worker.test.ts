import { describe, expect, test } from 'vitest';
import { sendOnMessage, sendOnSync } from '../../sw/sending.ts';
import { withPages } from '../../sw/with-pages.ts';
import { SYNC_TAG } from '../../src/offline/sender/worker-messages.ts';
import { generatorDraft } from '../offline/support/drafts.ts';
import { json, OfflineWorld } from '../offline/support/offline-world.ts';
import type { BackendKind } from '../offline/support/backends.ts';
import { FakeScope } from './support/fake-scope.ts';

/** A worker that sees no cookies, as in Firefox after a restart, beside a page that sees them; one change waits. */
async function blindWorker(mark: string, kind: BackendKind = 'own') {
  const world = await OfflineWorld.begin(kind);
  await world.save(generatorDraft(mark));
  const scope = new FakeScope();
  const told: { type: string }[] = [];
  scope.pages.push(told as never);
  const environment = withPages(scope, world.device.environment({ cookie: async () => undefined }));
  sendOnMessage(scope, environment);
  sendOnSync(scope, environment);
  const drain = (cookie?: string) => scope.fire('message', { data: { type: 'DRAIN', cookie } }).over();
  const pageCookie = () => world.device.cookies.get('XSRF-TOKEN') ?? '';
  return { world, scope, told, drain, pageCookie };
}

const refusal = json(419, { message: 'CSRF token mismatch.' });
/** How many changes were sent. */
const bodies = ({ sent }: OfflineWorld) => sent.length;

describe('a worker that sees no anti-forgery cookie', () => {
  test('sends each change once, with the cookie that a page passed on', async () => {
    const { world, told, drain, pageCookie } = await blindWorker('given');
    await world.save(generatorDraft('second'));
    await drain(pageCookie());
    expect(await world.waiting()).toEqual([]);
    expect(bodies(world)).toBe(2);
    await world.save(generatorDraft('later'));
    await drain();
    expect(bodies(world)).toBe(3);
    expect(told).toEqual([]);
  });

  test('sends nothing without a cookie, and asks its pages to send', async () => {
    const { world, told, drain } = await blindWorker('bare');
    await drain();
    expect(bodies(world)).toBe(0);
    expect(told).toEqual([{ type: 'SEND' }]);
    expect(await world.waiting()).toMatchObject([{ state: 'pending', attempts: 0 }]);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
  });

  test('does not send again with a refused cookie, and continues with a fresh one', async () => {
    const { world, told, drain, pageCookie } = await blindWorker('stale');
    const passing = setInterval(() => world.device.pass(5_000), 5);
    await drain('a stale one').finally(() => clearInterval(passing));
    expect(bodies(world)).toBe(1);
    expect(told).toEqual([{ type: 'SEND' }]);
    await drain(pageCookie());
    expect(await world.waiting()).toEqual([]);
    expect(bodies(world)).toBe(2);
  });

  test('tries once without a cookie when the server may set none', async () => {
    const { world, told, drain } = await blindWorker('stock', 'contract-only');
    world.answerChanges(refusal, refusal);
    const passing = setInterval(() => world.device.pass(5_000), 5);
    await drain().finally(() => clearInterval(passing));
    await drain();
    expect(bodies(world)).toBe(1);
    expect(told).toEqual([{ type: 'SEND' }, { type: 'SEND' }]);
  });

  test('tells every page, since the first may be frozen', async () => {
    const { scope, told, drain } = await blindWorker('two-pages');
    const other: never[] = [];
    scope.pages.push(other);
    await drain();
    expect([told, other]).toEqual([[{ type: 'SEND' }], [{ type: 'SEND' }]]);
  });

  test('has the browser repeat its sync, when a page may be open', async () => {
    const { world, scope } = await blindWorker('sync');
    await expect(scope.fire('sync', { tag: SYNC_TAG }).over()).rejects.toThrow('Not all sent');
    expect(bodies(world)).toBe(0);
  });
});

test('a worker that sees its cookies needs no page', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('seeing'));
  const scope = new FakeScope();
  const environment = withPages(scope, world.device.environment());
  sendOnMessage(scope, environment);
  world.device.cookies.clear();
  await scope.fire('message', { data: { type: 'DRAIN', cookie: 'an older one' } }).over();
  expect(await world.waiting()).toEqual([]);
  expect(world.sent).toHaveLength(1);
});

test('a page passes on only the anti-forgery cookie', async () => {
  const scope = new FakeScope();
  const world = await OfflineWorld.begin();
  const environment = withPages(scope, world.device.environment({ cookie: async () => undefined }));
  await scope.fire('message', { data: { type: 'DRAIN', cookie: 'handed' } }).over();
  expect([await environment.cookie('XSRF-TOKEN'), await environment.cookie('voltdesk_session')]).toEqual([
    'handed',
    undefined,
  ]);
});
