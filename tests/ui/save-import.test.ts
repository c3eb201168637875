import 'fake-indexeddb/auto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { outbox } from '../../src/api/outbox.ts';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { planImport } from '../../src/resource/csv/csv-import.ts';
import { saveImport } from '../../src/resource/csv/save-import.ts';
import { useNotifications } from '../../src/stores/notifications.ts';

vi.mock('../../src/fields/photos/take-file.ts', () => ({
  takeFile: async ({ name: field }: { name: string }, blob: File) =>
    blob.size === 0
      ? { ok: false, reason: `“${blob.name}” is empty.` }
      : { ok: true, file: { key: blob.name, field, name: blob.name, type: blob.type, blob } },
}));

const partners = resourceOf('partners');

afterEach(() => {
  vi.restoreAllMocks();
});

it('bases a line on what the row showed, without a version that may be newer than its columns', async () => {
  const enqueue = vi.spyOn(outbox, 'enqueue').mockResolvedValue({ id: 'entry-1' } as OutboxEntry);
  // the column is from an older list, the link and the version from a record that was read since
  const rows = [{ recordId: '7', name: 'Sun', link: 'https://sun.example', version: 'newer' }];
  const { lines } = planImport(partners, 'id,link\n7,https://sun.test\n', rows, new Set());
  const onProgress = vi.fn();
  const job = { resource: partners, files: new Map(), rows, administrator: '1', onProgress };
  expect(await saveImport(lines, job)).toEqual({ saved: [2], problems: [] });
  expect(onProgress).toHaveBeenCalledExactlyOnceWith(0);
  expect(enqueue).toHaveBeenCalledExactlyOnceWith(
    {
      op: 'update',
      resource: 'partners',
      recordId: '7',
      values: { name: 'Sun', link: 'https://sun.test' },
      files: [],
      base: { values: { name: 'Sun', link: 'https://sun.example' }, imageIds: [] },
    },
    { administrator: '1', title: expect.any(String) },
  );
});

describe('an import of several lines', () => {
  const job = (files = new Map<string, File>()) => ({
    resource: partners,
    files,
    rows: [],
    administrator: '1',
    onProgress: () => undefined,
  });
  const linesOf = (...names: readonly string[]) =>
    names.map((name, at) => ({
      line: at + 2,
      title: name,
      values: { name },
      fileNames: name === 'Wants' ? { image: ['logo.png'] } : {},
      errors: {},
    }));

  it('skips a line whose file was not chosen, says so, and continues after it', async () => {
    const enqueue = vi.spyOn(outbox, 'enqueue').mockResolvedValue({ id: 'entry-1' } as OutboxEntry);
    const outcome = await saveImport(linesOf('Sun', 'Wants', 'Moon'), job());
    expect(outcome).toEqual({ saved: [2, 4], problems: ['Line 3: “logo.png” was not chosen.'] });
    expect(enqueue.mock.calls.map(([, { title }]) => title)).toEqual(['Sun', 'Moon']);
  });

  it('stops where the storage fails, and says how many lines are saved of all', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    useNotifications.getState().take();
    vi.spyOn(outbox, 'enqueue')
      .mockResolvedValueOnce({ id: 'entry-1' } as OutboxEntry)
      .mockRejectedValue(new Error('locked'));
    const { saved } = await saveImport(linesOf('Sun', 'Wants', 'Moon', 'Star'), job());
    expect(saved).toEqual([2]);
    const [toast] = useNotifications.getState().take();
    expect(toast?.message).toContain('1 of 4 lines saved.');
  });

  it('creates a record with the file its line names, and skips a line whose file is rejected', async () => {
    const enqueue = vi.spyOn(outbox, 'enqueue').mockResolvedValue({ id: 'entry-1' } as OutboxEntry);
    const logo = new File(['logo'], 'logo.png', { type: 'image/png' });
    const taken = await saveImport(linesOf('Wants'), job(new Map([['logo.png', logo]])));
    expect(taken).toEqual({ saved: [2], problems: [] });
    expect(enqueue.mock.lastCall?.[0]).toMatchObject({ op: 'create', files: [{ field: 'image', name: 'logo.png' }] });
    const empty = await saveImport(linesOf('Wants'), job(new Map([['logo.png', new File([], 'logo.png')]])));
    expect(empty).toEqual({ saved: [], problems: ['Line 2: “logo.png” is empty.'] });
  });

  it('stores no later lines once the storage has failed', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const enqueue = vi
      .spyOn(outbox, 'enqueue')
      .mockResolvedValueOnce({ id: 'entry-1' } as OutboxEntry)
      .mockRejectedValueOnce(new Error('The disk is gone.'))
      .mockResolvedValue({ id: 'entry-3' } as OutboxEntry);
    expect(await saveImport(linesOf('Sun', 'Moon', 'Star'), job())).toEqual({ saved: [2], problems: [] });
    expect(enqueue).toHaveBeenCalledTimes(2);
  });
});
