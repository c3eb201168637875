import { beforeEach, expect, test, vi } from 'vitest';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { exportList } from '../../src/resource/csv/export-list.ts';
import { completeRows } from '../../src/resource/csv/whole-rows.ts';

const kept = vi.hoisted(() => ({ whole: [] as object[], asked: [] as number[], answer: undefined as unknown }));
vi.mock('../../src/api/device.ts', () => ({
  device: async () => ({ cache: { readWhole: async () => ({ records: kept.whole }) } }),
}));
vi.mock('../../src/api/sources.ts', () => ({
  recordCopy: (_: unknown, id: number) => ({
    refresh: async () => void kept.asked.push(id),
    state: () => ({ value: kept.answer }),
  }),
}));

const partners = resourceOf('partners');

beforeEach(() => Object.assign(kept, { whole: [], asked: [], answer: undefined }));

test('lays a row’s newer columns over the stored record, without a version if the two differ', async () => {
  kept.whole = [{ id: 7, name: 'Old', link: 'https://sun.example', version: 'v1' }];
  const [same, other] = await completeRows(partners, [
    { recordId: '7', name: 'Sun', version: 'v1' },
    { recordId: '7', name: 'Sun', version: 'v2' },
  ]);
  expect(same).toMatchObject({ name: 'Sun', link: 'https://sun.example', version: 'v1' });
  expect(other).toMatchObject({ name: 'Sun', link: 'https://sun.example', version: undefined });
  expect(kept.asked).toEqual([]);
});

test('requests what is missing of a row, unless only this device has the record', async () => {
  kept.answer = { id: 7, link: 'https://asked.example', version: 'v3' };
  const [asked, local] = await completeRows(partners, [
    { recordId: '7', name: 'Sun' },
    { recordId: 'local-1', name: 'Moon' },
  ]);
  expect(kept.asked).toEqual([7]);
  expect(asked).toMatchObject({ name: 'Sun', link: 'https://asked.example' });
  expect(local).toEqual({ recordId: 'local-1', name: 'Moon' });
});

test('names an export after its kind, and includes what the device knows besides the columns', async () => {
  kept.whole = [{ id: 7, name: 'Sun', link: 'https://sun.example', version: 'v1' }];
  const files: Blob[] = [];
  URL.createObjectURL = (file) => `blob:${files.push(file as Blob)}`;
  const names: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });
  await exportList(partners, [{ recordId: '7', name: 'Sun & Sons' }]);
  expect(names).toEqual(['partners.csv']);
  expect([files[0]?.type, await files[0]?.text()]).toEqual([
    'text/csv;charset=utf-8',
    expect.stringContaining('id,name,link\r\n7,Sun & Sons,https://sun.example\r\n'),
  ]);
  click.mockRestore();
});
