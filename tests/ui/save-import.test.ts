import 'fake-indexeddb/auto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { outbox } from '../../src/api/outbox.ts';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { planImport } from '../../src/resource/csv/csv-import.ts';
import { saveImport } from '../../src/resource/csv/save-import.ts';

const partners = resourceOf('partners');

afterEach(() => {
  vi.restoreAllMocks();
});

it('a line is measured against what the row showed, not against a version of the record that may be newer than its columns', async () => {
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

  it('leaves out a line whose file was not chosen, says so, and goes on behind it', async () => {
    const enqueue = vi.spyOn(outbox, 'enqueue').mockResolvedValue({ id: 'entry-1' } as OutboxEntry);
    const outcome = await saveImport(linesOf('Sun', 'Wants', 'Moon'), job());
    expect(outcome).toEqual({ saved: [2, 4], problems: ['Line 3: “logo.png” was not chosen.'] });
    expect(enqueue.mock.calls.map(([, { title }]) => title)).toEqual(['Sun', 'Moon']);
  });

  it('stops where the storage fails: what is behind it was not asked for', async () => {
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
