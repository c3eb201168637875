import 'fake-indexeddb/auto';
import { afterEach, expect, it, vi } from 'vitest';
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
