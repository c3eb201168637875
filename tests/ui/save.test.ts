import 'fake-indexeddb/auto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { device } from '../../src/api/device.ts';
import { outbox } from '../../src/api/outbox.ts';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { StorageFullError } from '../../src/offline/storage/errors.ts';
import { saveChange } from '../../src/resource/form/save.ts';
import { startSession, useSession } from '../../src/stores/session.ts';

const draft = { op: 'create', resource: 'partners', values: { name: 'Delta' }, files: [] } as const;
const about = { administrator: '7', title: 'Delta' };
const onDevice = (then: string) => ({ kind: 'on-device', message: `Saved on this device. It will be sent ${then}.` });
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

  it.each(['server-error', 'busy'] as const)('says so in the server’s words (%s)', async (code) => {
    expect(await save(answered(code, Date.now() + 1000))).toEqual({
      kind: 'kept-after-fault',
      message: 'The database is being moved. Saved on this device; it will be tried again automatically.',
    });
  });

  it('does not say so of an older fault, or without an answer', async () => {
    expect(await save(answered('server-error', Date.now() - 60_000))).toEqual(onDevice('when the connection returns'));
    expect(await save(answered('no-answer', Date.now() + 1000))).toEqual(onDevice('when the connection returns'));
  });
});

describe('a save whose files wait for Wi-Fi', () => {
  const file = { id: 'f', field: 'image', name: 'logo.png', type: 'image/png', size: 2_000_000, sha256: 'ab' };
  const held = { ...entry, state: 'pending', change: { ...draft, recordId: 'local-1', files: [file] } } as OutboxEntry;

  it.each([
    ['cellular', 'over Wi-Fi'],
    ['wifi', 'when the connection returns'],
  ])('says so, over a link that is %s', async (type, then) => {
    Object.defineProperty(navigator, 'connection', { value: { type }, configurable: true });
    const offline = await device();
    await offline.rememberSession({ administrator: '7', name: 'A', token: 't', rememberAcrossRestarts: true });
    await offline.keepForWifi(offline.browserEnvironment(), 1_000_000);
    vi.spyOn(outbox, 'enqueue').mockResolvedValue(held);
    vi.spyOn(outbox, 'follow').mockResolvedValue(held);
    expect(await saveChange(draft, about)).toEqual(onDevice(then));
  });
});

describe('a save on a device whose storage does not work', () => {
  it('reports when nothing could be stored, whatever the reason', async () => {
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

  it('counts as stored when only its delivery can no longer be followed', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.spyOn(outbox, 'enqueue').mockResolvedValue(entry);
    vi.spyOn(outbox, 'follow').mockRejectedValue(new Error('The database connection is closing.'));
    expect(await saveChange(draft, about)).toEqual(onDevice('when the connection returns'));
  });

  it('keeps a refused change in the queue to be repaired when it cannot be withdrawn', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const refused = { ...entry, state: 'attention', delivery: [], reason: { code: 'refused', message: 'Invalid.' } };
    vi.spyOn(outbox, 'enqueue').mockResolvedValue({ ...entry, createdAt: Date.now() + 1_000 });
    vi.spyOn(outbox, 'follow').mockResolvedValue(refused as unknown as OutboxEntry);
    vi.spyOn(outbox, 'withdraw').mockRejectedValue(new Error('The storage does not answer.'));
    const result = await saveChange(draft, about);
    expect(result).toEqual({ kind: 'returned', message: 'Invalid.', errors: {}, repairing: 'entry-1' });
  });
});

describe('a save that is refused', () => {
  const refused = (parts: Partial<OutboxEntry> = {}) =>
    ({
      ...entry,
      createdAt: Date.now() + 1_000,
      state: 'attention',
      delivery: [],
      reason: { code: 'refused', message: 'Invalid.', errors: { name: ['Taken.'] } },
      ...parts,
    }) as OutboxEntry;
  const save = async (answer: OutboxEntry, isOpen = true, isBack = true) => {
    const stored: string[] = [];
    const { mergedSaves: _, ...saved } = answer;
    vi.spyOn(outbox, 'enqueue').mockResolvedValue(saved as OutboxEntry);
    vi.spyOn(outbox, 'follow').mockResolvedValue(answer);
    const withdraw = vi.spyOn(outbox, 'withdraw').mockResolvedValue(isBack);
    const form = { isOpen: () => isOpen, onStored: ({ id }: OutboxEntry) => void stored.push(id) };
    return {
      result: await saveChange(draft, about, undefined, form),
      withdrawn: withdraw.mock.calls.map(([{ id }]) => id),
      stored,
    };
  };
  const returned = { kind: 'returned', message: 'Invalid.', errors: { name: ['Taken.'] } };

  it('returns to the open form, and leaves the queue', async () => {
    const { result, withdrawn, stored } = await save(refused());
    expect(result).toEqual(returned);
    expect(withdrawn).toEqual(['entry-1']);
    expect(stored).toEqual(['entry-1']);
  });

  it.each([
    ['has joined an earlier change', refused({ createdAt: Date.now() - 60_000 }), true],
    ['was made in a form that has been left', refused(), false],
    ['may be on the server anyway', refused({ delivery: ['attempt'] }), true],
  ])('stays in the queue where it %s', async (_, answer, isOpen) => {
    const { result, withdrawn } = await save(answer, isOpen);
    expect(result).toEqual({ ...returned, repairing: 'entry-1' });
    expect(withdrawn).toEqual([]);
  });

  it('stays in the queue where it is found to be no longer this form’s alone', async () => {
    const { result } = await save(refused(), true, false);
    expect(result).toEqual({ ...returned, repairing: 'entry-1' });
  });

  it('stays in the queue, and the form is left, where another form has edited the new record', async () => {
    const { result, withdrawn } = await save(refused({ mergedSaves: 1, change: { op: 'create' } as never }));
    expect(result).toEqual({
      kind: 'kept-after-fault',
      message: 'Invalid. The refused change stays in the outbox.',
    });
    expect(withdrawn).toEqual([]);
  });

  it('is a conflict if the record has changed meanwhile, to be resolved rather than retyped', async () => {
    const { result, withdrawn } = await save(refused({ conflict: { record: {} } as never }));
    expect(result).toEqual({ kind: 'conflict', entryId: 'entry-1' });
    expect(withdrawn).toEqual([]);
  });
});

describe('a save that waits', () => {
  const waiting = { ...entry, state: 'pending' } as OutboxEntry;
  const done = { ...waiting, state: 'done', receipt: { message: 'Partner added.' } } as OutboxEntry;
  const save = async (pause?: { cause: 'signed-out' | 'unreachable'; portal?: true }) => {
    startSession({ id: 7, name: 'Nadia' }, 'token-1', true);
    const offline = await device();
    vi.spyOn(offline, 'queueState').mockResolvedValue({ pause, travel: {} } as never);
    vi.spyOn(outbox, 'enqueue').mockResolvedValue(entry);
    const follow = vi.spyOn(outbox, 'follow').mockResolvedValueOnce(waiting).mockResolvedValue(done);
    return { result: saveChange(draft, about), follow };
  };
  const isAsked = () => useSession.getState().signInAsked;

  it('for a sign-in asks for it, and reports the outcome afterwards', async () => {
    const { result } = await save({ cause: 'signed-out' });
    await expect.poll(isAsked).toBe(true);
    startSession({ id: 7, name: 'Nadia' }, 'token-2', true);
    expect(await result).toEqual({ kind: 'saved', message: 'Partner added.' });
  });

  it('for a postponed sign-in stays on this device', async () => {
    const { result, follow } = await save({ cause: 'signed-out' });
    await expect.poll(isAsked).toBe(true);
    useSession.setState({ signInAsked: false });
    expect(await result).toEqual(onDevice('as soon as you sign in'));
    expect(follow).toHaveBeenCalledTimes(1);
  });

  it('for a connection asks for no sign-in', async () => {
    const { result } = await save({ cause: 'unreachable' });
    expect(await result).toEqual(onDevice('when the connection returns'));
    expect(isAsked()).toBe(false);
  });

  it('behind a captive portal says what it waits for', async () => {
    const { result } = await save({ cause: 'unreachable', portal: true });
    expect(await result).toEqual(onDevice('once you sign in to this Wi-Fi'));
  });
});
