import { beforeEach, describe, expect, test } from 'vitest';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { CONTRACT_ONLY } from '../../src/domain/protocol/capabilities.ts';
import { importQueue } from '../../src/offline/outbox/export.ts';
import { haltFiles, keepForWifi, sendOverAnyLink } from '../../src/offline/outbox/halt-files.ts';
import { queueState } from '../../src/offline/outbox/queries.ts';
import { writeQueueFile } from '../../src/offline/outbox/queue-file.ts';
import type { Environment } from '../../src/offline/storage/environment.ts';
import { readMeta, writeMeta } from '../../src/offline/storage/meta.ts';
import { readUpload, writeUpload } from '../../src/offline/storage/uploads.ts';
import { creating, editing, entryOf, fileOf, NOW, partner } from '../domain/outbox/samples.ts';
import { KEYED, senderAtWork } from './support/at-work.ts';

let page: Environment;

beforeEach(async () => {
  ({ environment: page } = await senderAtWork(CONTRACT_ONLY));
});

async function put(entry: OutboxEntry): Promise<OutboxEntry> {
  await page.outbox.entries.put(entry);
  return entry;
}

const edit = (from: string, to: string, recordId = '5') => editing(recordId, partner(from), partner(to));
const withFile = { ...creating('local-f'), files: [fileOf('one', 'image')] } as OutboxEntry['change'];

describe('staged files', () => {
  const file = fileOf('one', 'image');
  const upload = () => readUpload(page.outbox, '1', file);

  test('can be paused, resumed and sent over any link', async () => {
    await writeMeta(page.outbox, 'capabilities', { at: NOW, told: { ...KEYED, staging: { fromBytes: 500 } } });
    const entry = await put(entryOf(withFile));
    await writeUpload(page.outbox, '1', { ...(await upload()), offset: 7 });
    expect((await queueState(page)).travelling).toBe(true);
    await writeUpload(page.outbox, '1', { ...(await upload()), notBefore: NOW + 9 });
    await haltFiles(page, entry.id, true);
    expect(await upload()).toMatchObject({ offset: 7, halted: true });
    expect(await upload()).not.toHaveProperty('notBefore');
    await haltFiles(page, entry.id, false);
    expect(await upload()).not.toHaveProperty('halted');
    await sendOverAnyLink(page, entry.id);
    expect(await upload()).not.toHaveProperty('anyway');
    for (const command of [haltFiles(page, 'unknown', true), sendOverAnyLink(page, 'unknown')]) await command;
    expect(await upload()).toMatchObject({ offset: 7 });
  });

  test('above a size wait for Wi-Fi for the administrator who chose so', async () => {
    await writeMeta(page.outbox, 'wifiOver', { '2': 5 });
    await keepForWifi(page, 100);
    expect(await readMeta(page.outbox, 'wifiOver')).toEqual({ '1': 100, '2': 5 });
    await keepForWifi(page, undefined);
    expect(await readMeta(page.outbox, 'wifiOver')).toEqual({ '2': 5 });
    await writeMeta(page.outbox, 'session', undefined);
    await keepForWifi(page, 7);
    expect(await readMeta(page.outbox, 'wifiOver')).toEqual({ '2': 5 });
  });

  test('are not travelling while the queue waits', async () => {
    await writeMeta(page.outbox, 'capabilities', { at: NOW, told: { ...KEYED, staging: { fromBytes: 500 } } });
    await put(entryOf(withFile));
    await writeUpload(page.outbox, '1', { ...(await upload()), offset: 7 });
    await writeMeta(page.outbox, 'pause', { cause: 'busy', since: NOW, until: NOW + 5, failures: 1 });
    expect((await queueState(page)).travelling).toBe(false);
  });
});

test('an imported change goes to its own record of its own kind', async () => {
  const identities = [
    { resource: 'generators', localId: 'local-1', serverId: 4 },
    { resource: 'partners', localId: 'local-2', serverId: 5 },
    { resource: 'partners', localId: 'local-1', serverId: 6 },
  ] as const;
  const entries = [
    entryOf(edit('A', 'B', 'local-1')),
    entryOf(edit('A', 'B', 'local-3')),
    entryOf(creating('local-2')),
  ];
  const file = await writeQueueFile({ entries, identities }, async () => undefined);
  expect(await importQueue(page, file)).toEqual({ added: 3, known: 0 });
  const all = await page.outbox.entries.toArray();
  expect(all.map(({ change }) => change.recordId)).toEqual(['6', 'local-3', 'local-2']);
  expect(all.map(({ delivery }) => delivery.includes('attempt'))).toEqual([true, true, true]);
});

test('an imported change of an older version may be delivered, since the other device may have sent it', async () => {
  const { delivery: _, ...facts } = entryOf(creating());
  const old = { ...facts, schema: 3, state: 'queued' } as unknown as OutboxEntry;
  const file = await writeQueueFile({ entries: [old], identities: [] }, async () => undefined);
  expect(await importQueue(page, file)).toEqual({ added: 1, known: 0 });
  const [entry] = await page.outbox.entries.toArray();
  expect(entry?.state).toBe('pending');
  expect(entry?.delivery).toContain('attempt');
});
