import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type ChangeDraft, type DraftAbout, outbox } from '../../src/api/outbox.ts';
import { expectSettling } from '../../src/api/confirmed-overlay.ts';
import { wake } from '../../src/api/worker-bridge.ts';

/** The functions of the device that the page called, with their arguments. */
const device = vi.hoisted(() => ({ called: [] as unknown[][], answer: 'answer' as unknown, fails: false }));
const HERE = vi.hoisted(() => ({ name: 'the environment of this page' }));

vi.mock('../../src/api/device.ts', () => ({
  device: async () =>
    new Proxy(
      {},
      {
        get: (_, name) => {
          if (name === 'then') return undefined;
          if (name === 'browserEnvironment') return () => HERE;
          return async (...given: unknown[]) => {
            device.called.push([name, ...given]);
            if (device.fails) throw new Error('closed');
            return device.answer;
          };
        },
      },
    ),
}));
vi.mock('../../src/api/worker-bridge.ts', () => ({ wake: vi.fn() }));
vi.mock('../../src/api/confirmed-overlay.ts', () => ({ expectSettling: vi.fn((entry: unknown) => entry) }));

const DRAFT = { op: 'create' } as unknown as ChangeDraft;
const ABOUT = { title: 'Acme' } as unknown as DraftAbout;
const FILE = { id: 'file-1' } as never;
const BLOB = new Blob(['queue']);

beforeEach(() => {
  device.called = [];
  device.answer = 'answer';
  device.fails = false;
  vi.mocked(wake).mockClear();
  vi.mocked(expectSettling).mockClear();
});

describe('commands that may send something wake the sender once they are stored', () => {
  it.each([
    ['enqueue', () => outbox.enqueue(DRAFT, ABOUT), ['enqueue', HERE, DRAFT, ABOUT]],
    ['repair', () => outbox.repair('e', DRAFT, ABOUT), ['repair', HERE, 'e', DRAFT, ABOUT]],
    ['discard', () => outbox.discard('e'), ['discard', HERE, 'e']],
    ['undo', () => outbox.undo('e'), ['undo', HERE, 'e']],
    ['retry', () => outbox.retry('e'), ['retry', HERE, 'e']],
    ['haltFiles', () => outbox.haltFiles('e', true), ['haltFiles', HERE, 'e', true]],
    ['sendOverAnyLink', () => outbox.sendOverAnyLink('e'), ['sendOverAnyLink', HERE, 'e']],
    ['keepForWifi', () => outbox.keepForWifi(5), ['keepForWifi', HERE, 5]],
    ['sendNow', () => outbox.sendNow(), ['sendNow', HERE]],
    ['resolve', () => outbox.resolve('e', { name: 'A' }, ['f']), ['resolve', HERE, 'e', { name: 'A' }, ['f']]],
    ['resolve without files', () => outbox.resolve('e', {}), ['resolve', HERE, 'e', {}, []]],
    ['adopt', () => outbox.adopt('e', 7), ['adopt', HERE, 'e', 7]],
    ['importQueue', () => outbox.importQueue(BLOB), ['importQueue', HERE, BLOB]],
  ])('%s', async (_, work, called) => {
    const done = work();
    expect(wake).not.toHaveBeenCalled();
    expect(await done).toBe('answer');
    expect(device.called).toEqual([called]);
    expect(wake).toHaveBeenCalledOnce();
  });
});

describe('commands that send nothing do not wake the sender', () => {
  it.each([
    ['follow', () => outbox.follow('e', 10), ['follow', HERE, 'e', 10]],
    ['withdraw', () => outbox.withdraw({ id: 'e' }), ['withdraw', HERE, { id: 'e' }]],
    ['discardedWith', () => outbox.discardedWith('e'), ['discardedWith', HERE, 'e']],
    ['discardAll', () => outbox.discardAll('7'), ['discardAll', HERE, '7']],
    ['dropFile', () => outbox.dropFile('e', 'f'), ['dropFile', HERE, 'e', 'f']],
    ['entry', () => outbox.entry('e'), ['findEntry', HERE, 'e']],
    ['file', () => outbox.file(FILE), ['openFile', HERE, FILE]],
    ['serverIdOf', () => outbox.serverIdOf('partners', 'local-1'), ['serverIdOf', HERE, 'partners', 'local-1']],
    ['waitingFor', () => outbox.waitingFor('7'), ['waitingFor', HERE, '7']],
    ['leave', () => outbox.leave('7', 'discard'), ['leaveQueue', HERE, '7', 'discard']],
    ['exportQueue', () => outbox.exportQueue('7'), ['exportQueue', HERE, '7']],
    ['acknowledgeLoss', () => outbox.acknowledgeLoss(), ['acknowledgeLoss', HERE]],
  ])('%s', async (_, work, called) => {
    await work();
    expect(device.called).toEqual([called]);
    expect(wake).not.toHaveBeenCalled();
  });
});

it('expects a change saved or repaired here to settle, even before it was seen waiting', async () => {
  device.answer = { id: 'e' };
  await outbox.enqueue(DRAFT, ABOUT);
  await outbox.repair('e', DRAFT, ABOUT);
  expect(vi.mocked(expectSettling).mock.calls).toEqual([[{ id: 'e' }], [{ id: 'e' }]]);
  await outbox.retry('e');
  expect(expectSettling).toHaveBeenCalledTimes(2);
});

it('reports a failure of the device, and does not wake the sender', async () => {
  device.fails = true;
  await expect(outbox.enqueue(DRAFT, ABOUT)).rejects.toThrow('closed');
  expect(wake).not.toHaveBeenCalled();
  expect(expectSettling).not.toHaveBeenCalled();
});
