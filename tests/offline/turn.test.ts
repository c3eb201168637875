import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { drain } from '../../src/offline/sender/drain.ts';
import { enqueue } from '../../src/offline/outbox/enqueue.ts';
import type { Environment } from '../../src/offline/storage/environment.ts';
import { pendingEntries, receipts } from '../../src/offline/outbox/queries.ts';
import { type BackendKind, contractOnlyBackend, ORIGIN, ownBackend, type TestBackend } from './support/backends.ts';
import { Device } from './support/device.ts';
import { generatorDraft, generatorValues, hashOf, photo } from './support/drafts.ts';

const open: Record<BackendKind, () => Promise<TestBackend>> = {
  own: () => ownBackend(),
  'contract-only': async () => contractOnlyBackend(),
};

describe.each(['own', 'contract-only'] as const)('one round on a server of kind %s', (kind) => {
  let backend: TestBackend;
  let device: Device;
  let page: Environment;
  let me: { id: string; token: string };

  beforeAll(async () => {
    backend = await open[kind]();
  });
  afterAll(() => backend.close());
  beforeEach(async () => {
    device = new Device(backend);
    page = device.environment();
    me = await device.signIn(page);
  });

  const about = (title: string) => ({ administrator: me.id, title });

  async function ask<T>(path: string): Promise<T> {
    const headers = { accept: 'application/json', authorization: `Bearer ${me.token}` };
    const response = await device.fetch(ORIGIN + path, { headers });
    return (await response.json()) as T;
  }

  test('a new record arrives with every byte of its files', async () => {
    const draft = generatorDraft(`${kind}-bytes`, 2);
    await enqueue(page, draft, about('bytes'));
    await drain(page);
    expect(await pendingEntries(page)).toEqual([]);
    const [receipt] = await receipts(page);
    const id = receipt?.receipt?.serverId;
    const record = await ask<{ brand: string; catalog: string; images: { image: string }[] }>(
      `/api/get-single-generator/${id}`,
    );
    expect(record.brand).toBe(`Brand ${kind}-bytes`);
    expect(record.images).toHaveLength(2);
    const stored = [record.catalog, ...record.images.map(({ image }) => image)];
    const hashes = await Promise.all(stored.map((name) => backend.receivedSha256(name)));
    expect(hashes).toEqual(await Promise.all(draft.files.map(hashOf)));
  });

  test('an edit of a record made offline follows it to its server id', async () => {
    device.online = false;
    const created = await enqueue(page, generatorDraft(`${kind}-follow`), about('follow'));
    const { recordId } = created.change as { recordId: string };
    device.online = true;
    device.wire = async () => {
      throw new TypeError('cut');
    };
    await drain(page);
    const values = { ...generatorValues(`${kind}-follow`), origin: 'Spain' };
    const base = { values: generatorValues(`${kind}-follow`), imageIds: [] };
    await enqueue(
      page,
      { op: 'update', resource: 'generators', recordId, values, files: [photo('late')], base },
      about('follow'),
    );
    device.wire = (request, pass) => pass(request);
    device.pass(3600_000);
    await drain(page);
    expect(await pendingEntries(page)).toEqual([]);
    const rows = await ask<{ id: number; brand: string }[]>('/api/get-generators');
    const [row, ...twins] = rows.filter(({ brand }) => brand === `Brand ${kind}-follow`);
    expect(twins).toEqual([]);
    const record = await ask<{ origin: string; images: unknown[] }>(`/api/get-single-generator/${row?.id}`);
    expect(record).toMatchObject({ origin: 'Spain', images: [{}, {}] });
  });

  test('an answer cut after the server committed leaves exactly one record', async () => {
    device.wire = async (request, pass) => {
      const response = await pass(request);
      if (request.method === 'POST') throw new TypeError('cut');
      return response;
    };
    await enqueue(page, generatorDraft(`${kind}-cut`), about('cut'));
    await drain(page);
    expect(await pendingEntries(page)).toMatchObject([{ state: 'pending', attempts: 1 }]);
    device.wire = (request, pass) => pass(request);
    device.pass(3600_000);
    await drain(page);
    const rows = await ask<{ brand: string }[]>('/api/get-generators');
    expect(rows.filter(({ brand }) => brand === `Brand ${kind}-cut`)).toHaveLength(1);
    expect(await receipts(page)).toMatchObject([{ state: 'done' }]);
  });

  test('a delete is sent after its undo time and not before', async () => {
    await enqueue(page, generatorDraft(`${kind}-gone`), about('gone'));
    await drain(page);
    const id = (await receipts(page))[0]?.receipt?.serverId;
    await enqueue(
      page,
      { op: 'delete', resource: 'generators', recordId: String(id) },
      { ...about('gone'), undoFor: 6000 },
    );
    expect(await drain(page)).toEqual({ until: device.time + 6000 });
    device.pass(6000);
    await drain(page);
    expect(await pendingEntries(page)).toEqual([]);
    expect(await ask<{ id: number }[]>('/api/get-generators')).not.toContainEqual(expect.objectContaining({ id }));
  });
});
