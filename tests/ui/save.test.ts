import 'fake-indexeddb/auto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { device } from '../../src/api/device.ts';
import { outbox } from '../../src/api/outbox.ts';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { StorageFullError } from '../../src/offline/storage/errors.ts';
import { saveChange } from '../../src/resource/form/save.ts';

const draft = { op: 'create', resource: 'partners', values: { name: 'Delta' }, files: [] } as const;
const about = { administrator: '7', title: 'Delta' };
const entry = { id: 'entry-1', createdAt: Date.now() } as OutboxEntry;

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a save that the server answers with a fault', () => {
  const answered = (code: 'server-error' | 'busy' | 'no-answer', lastAttemptAt: number) =>
    ({
      ...entry,
      state: 'pending',
      lastAttemptAt,
      reason: { code, status: 500, message: 'The database is being moved' },
    }) as OutboxEntry;
  const save = (followed: OutboxEntry) => {
    vi.spyOn(outbox, 'enqueue').mockResolvedValue(entry);
    vi.spyOn(outbox, 'follow').mockResolvedValue(followed);
    return saveChange(draft, about);
  };

  it.each(['server-error', 'busy'] as const)('says so in the words of the server (%s)', async (code) => {
    expect(await save(answered(code, Date.now() + 1000))).toEqual({
      kind: 'kept-after-fault',
      message: 'The database is being moved. Saved on this device; it will be tried again automatically.',
    });
  });

  it('does not say so of a fault that is older than this save, or where nothing answered', async () => {
    expect(await save(answered('server-error', Date.now() - 60_000))).toEqual({ kind: 'on-device' });
    expect(await save(answered('no-answer', Date.now() + 1000))).toEqual({ kind: 'on-device' });
  });
});

describe('a save whose files wait for Wi-Fi', () => {
  const file = { id: 'f', field: 'image', name: 'logo.png', type: 'image/png', size: 2_000_000, sha256: 'ab' };
  const held = { ...entry, state: 'pending', change: { ...draft, recordId: 'local-1', files: [file] } } as OutboxEntry;

  it.each([
    ['cellular', { kind: 'on-device', forWifi: true }],
    ['wifi', { kind: 'on-device' }],
  ])('says so, over a link that is %s', async (type, result) => {
    Object.defineProperty(navigator, 'connection', { value: { type }, configurable: true });
    const offline = await device();
    await offline.rememberSession({ administrator: '7', name: 'A', token: 't', rememberAcrossRestarts: true });
    await offline.keepForWifi(offline.browserEnvironment(), 1_000_000);
    vi.spyOn(outbox, 'enqueue').mockResolvedValue(held);
    vi.spyOn(outbox, 'follow').mockResolvedValue(held);
    expect(await saveChange(draft, about)).toEqual(result);
  });
});

describe('a save on a device whose storage does not work', () => {
  it('is told in words when nothing could be stored, whatever the reason', async () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {});
    const cause = new Error('The database connection is closing.');
    vi.spyOn(outbox, 'enqueue').mockRejectedValue(cause);
    const result = await saveChange(draft, about);
    expect(result.kind).toBe('not-stored');
    expect(result).toHaveProperty('message', expect.stringContaining('Nothing was saved'));
    expect(told).toHaveBeenCalledWith(expect.any(String), cause);
  });

  it('names the sizes when the device is full', async () => {
    vi.spyOn(outbox, 'enqueue').mockRejectedValue(new StorageFullError(6_000_000, 1_000_000));
    expect(await saveChange(draft, about)).toMatchObject({
      kind: 'not-stored',
      message: expect.stringContaining('This device is full'),
    });
  });

  it('is called stored when only its way to the server can no longer be followed', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.spyOn(outbox, 'enqueue').mockResolvedValue(entry);
    vi.spyOn(outbox, 'follow').mockRejectedValue(new Error('The database connection is closing.'));
    expect(await saveChange(draft, about)).toEqual({ kind: 'on-device' });
  });

  it('keeps a refused change in the queue, to be repaired there, when it can no longer be taken out', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const refused = { ...entry, state: 'attention', delivery: [], reason: { code: 'refused', message: 'Invalid.' } };
    vi.spyOn(outbox, 'enqueue').mockResolvedValue({ ...entry, createdAt: Date.now() + 1_000 });
    vi.spyOn(outbox, 'follow').mockResolvedValue(refused as unknown as OutboxEntry);
    vi.spyOn(outbox, 'withdraw').mockRejectedValue(new Error('The storage does not answer.'));
    const result = await saveChange(draft, about);
    expect(result).toEqual({ kind: 'returned', message: 'Invalid.', errors: {}, repairing: 'entry-1' });
  });
});
