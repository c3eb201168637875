import { asVersion3 } from '../domain/outbox/old-shapes.ts';
import { describe, expect, test } from 'vitest';
import { baseOf } from '../../src/domain/outbox/base.ts';
import { CAPABILITIES_PATH } from '../../src/domain/protocol/capabilities.ts';
import type { ServerRecord } from '../../src/domain/resource.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { queueState } from '../../src/offline/outbox/queries.ts';
import {
  confirmSession,
  forgetSession,
  rememberedSession,
  rememberSession,
} from '../../src/offline/storage/session.ts';
import { leaveQueue, waitingFor } from '../../src/offline/outbox/entry-commands.ts';
import { generatorDraft } from './support/drafts.ts';
import { cut, OfflineWorld } from './support/offline-world.ts';

describe('administrators who share a tablet', () => {
  test('a change is sent only with the session of the administrator who made it', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const tokens: (string | null)[] = [];
    world.onChanges(async (request, pass) => {
      tokens.push(request.headers.get('authorization'));
      return pass(request);
    });
    await world.save(generatorDraft('first'));
    const first = world.me;
    world.me = await world.device.signIn(world.page, world.backend.accounts[1]);
    await world.save(generatorDraft('second'));
    tokens.length = 0;
    await world.drain();
    expect(tokens).toEqual([`Bearer ${world.me.token}`]);
    expect(await queueState(world.page)).toMatchObject({ otherAdministratorsWaiting: 1, waiting: 0 });
    await rememberSession(
      { administrator: first.id, name: '', token: first.token, rememberAcrossRestarts: true },
      world.page,
    );
    await world.drain();
    expect(tokens.at(-1)).toBe(`Bearer ${first.token}`);
    expect(await queueState(world.page)).toMatchObject({ otherAdministratorsWaiting: 0, waiting: 0 });
  });

  test.each(['own', 'contract-only'] as const)(
    'a deletion is in conflict with an edit of another one that waited here unseen (%s)',
    async (kind) => {
      const world = await OfflineWorld.begin(kind);
      await world.save(generatorDraft('both'));
      await world.drain();
      const recordId = String((await world.done())[0]?.receipt?.serverId);
      const record = await world.ask<ServerRecord>(`/api/get-single-generator/${recordId}`);
      const change = { resource: 'generators', recordId, base: baseOf(resourceOf('generators'), record) } as const;
      const edited = { ...change.base.values, origin: 'Spain' };
      await world.save({ ...change, op: 'update', values: edited, files: [] });
      const { id: first, token } = world.me;
      const signIn = (administrator: string) =>
        rememberSession({ administrator, name: '', token, rememberAcrossRestarts: true }, world.page);
      world.me = { id: 'second', token };
      await signIn('second');
      const { id } = await world.save({ ...change, op: 'delete' });
      await signIn(first);
      await world.drain();
      await signIn('second');
      await world.drain();
      expect(await world.waiting()).toMatchObject([{ id, state: 'attention', reason: { code: 'conflict' } }]);
      expect(await world.generators('both')).toHaveLength(1);
    },
  );

  test('a renewed session is not stored once another administrator has signed in', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const before = await rememberedSession(world.page);
    const old = { administrator: world.me.id, name: 'Renamed', token: world.me.token, rememberAcrossRestarts: true };
    expect(await confirmSession(old, world.page)).toBe(true);
    const other = await world.device.signIn(world.page, world.backend.accounts[1]);
    expect(other.id).not.toBe(before?.administrator);
    expect(await confirmSession(old, world.page)).toBe(false);
    expect(await rememberedSession(world.page)).toMatchObject({ administrator: other.id, token: other.token });
  });

  test('nothing is sent after logging out, and everything after signing in again', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('kept'));
    expect(await waitingFor(world.page, world.me.id)).toBe(1);
    await leaveQueue(world.page, world.me.id, 'keep');
    await forgetSession(world.page);
    expect(await world.drain()).toEqual({});
    expect(world.sent).toEqual([]);
    expect(await waitingFor(world.page, world.me.id)).toBe(1);
    await world.device.signIn(world.page);
    await world.drain();
    expect(await waitingFor(world.page, world.me.id)).toBe(0);
    expect(await world.generators('kept')).toHaveLength(1);
  });

  test('discarding at a log-out affects only that administrator’s changes', async () => {
    const world = await OfflineWorld.begin('contract-only');
    await world.save(generatorDraft('first'));
    const first = world.me;
    world.me = await world.device.signIn(world.page, world.backend.accounts[1]);
    await world.save(generatorDraft('second'));
    await leaveQueue(world.page, world.me.id, 'discard');
    expect([await waitingFor(world.page, world.me.id), await waitingFor(world.page, first.id)]).toEqual([0, 1]);
  });

  test('nothing more is sent after a log-out while a change is being sent', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('on-its-way'));
    await world.save(generatorDraft('next'));
    await world.save(generatorDraft('the-one-after'));
    const { drained, letGo } = await world.drainHalfWay();
    await forgetSession(world.page);
    letGo();
    await drained;
    expect(world.sent.map(({ fields }) => fields.get('brand'))).toEqual(['Brand on-its-way']);
    expect(await waitingFor(world.page, world.me.id)).toBe(2);
  });

  test('a change that was already chosen is not sent after someone else has signed in', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const first = world.me;
    await world.save(generatorDraft('of-the-first'));
    const tokens: (string | null)[] = [];
    world.device.wire = async (request, pass) => {
      if (request.method === 'POST') tokens.push(request.headers.get('authorization'));
      // the sender has chosen its change by now, and asks for the server's capabilities
      else if (tokens.length === 0 && request.url.endsWith(CAPABILITIES_PATH)) {
        await rememberSession({ administrator: '2', name: '', token: 't', rememberAcrossRestarts: true }, world.page);
      }
      return pass(request);
    };
    await world.drain();
    expect(tokens).toEqual([]);
    expect(await waitingFor(world.page, first.id)).toBe(1);
  });

  test('logging out can discard waiting changes, only those of the one who logs out', async () => {
    const world = await OfflineWorld.begin('contract-only');
    await world.save(generatorDraft('mine'));
    const mine = world.me.id;
    world.me = await world.device.signIn(world.page, world.backend.accounts[1]);
    await world.save(generatorDraft('theirs'));
    await leaveQueue(world.page, mine, 'discard');
    expect(await waitingFor(world.page, mine)).toBe(0);
    expect(await waitingFor(world.page, world.me.id)).toBe(1);
  });
});

describe('entries of an older or newer version of the app', () => {
  test('an old queue is read and sent, with tried changes under the same key', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('old-tried'));
    world.onChanges(async (request, pass) => {
      await pass(request);
      return cut();
    });
    await world.drain();
    await world.save(generatorDraft('old-new'));
    const { entries } = world.page.outbox;
    const older = (await world.waiting()).map((entry) => {
      const { doubt: _, ...rest } = asVersion3(entry);
      return { ...rest, schema: 1 };
    });
    await entries.bulkPut(older as never);
    world.goodLink();
    world.device.pass(60_000);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    const rows = await world.ask<{ brand: string }[]>('/api/get-generators');
    expect(rows.filter(({ brand }) => brand.startsWith('Brand old-'))).toHaveLength(2);
  });

  test('a change of a newer version stays unchanged, and the others are sent', async () => {
    const world = await OfflineWorld.begin();
    const newer = await world.save(generatorDraft('newer'));
    await world.page.outbox.entries.update(newer.sequence, { schema: 99 } as never);
    await world.save(generatorDraft('today'));
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ id: newer.id, schema: 99, state: 'pending', attempts: 0 }]);
  });
});

test('receipts are kept for thirty days', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('receipt'));
  await world.drain();
  world.device.pass(29 * 86_400_000);
  await world.drain();
  expect(await world.done()).toHaveLength(1);
  world.device.pass(2 * 86_400_000);
  await world.drain();
  expect(await world.done()).toHaveLength(0);
});
