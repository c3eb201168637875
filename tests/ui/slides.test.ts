import { renderHook, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { PendingRow } from '../../src/domain/outbox/optimistic-view.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { useSlides } from '../../src/resource/sliders/use-slides.ts';

/** The records that the server returns, by id. */
const records = vi.hoisted(() => new Map<number, object>());
vi.mock('../../src/api/sources.ts', () => ({
  recordCopy: (_: unknown, id: number) => {
    let value: object | undefined;
    return { refresh: async () => void (value = records.get(id)), state: () => ({ value }) };
  },
}));

const sliders = resourceOf('sliders');
const row = (recordId: string, serial: string, more: object = {}): PendingRow =>
  ({
    recordId,
    text: `Slide ${recordId}`,
    serial,
    image: `${recordId}.jpg`,
    version: `v${recordId}`,
    ...more,
  }) as PendingRow;

const read = (rows: readonly PendingRow[]) => renderHook(() => useSlides(sliders, rows)).result;

test('orders slides, each with the version read, without those being deleted', async () => {
  const rows = [row('1', '2'), row('2', '1'), row('3', '3', { pending: 'delete' })];
  const result = read(rows);
  await waitFor(() => expect(result.current.slides).toBeDefined());
  expect(result.current.failed).toBe(false);
  expect(result.current.slides?.map(({ recordId, base }) => [recordId, base.version])).toEqual([
    ['2', 'v2'],
    ['1', 'v1'],
  ]);
});

test('shows no order if one slide cannot be read, as it would be left out of the numbering', async () => {
  const rows = [row('1', '2'), row('2', '')];
  const result = read(rows);
  await waitFor(() => expect(result.current.failed).toBe(true));
  expect(result.current.slides).toBeUndefined();
});

test('a slide with a waiting edit keeps its place, its new text and its picture', async () => {
  const rows = [row('1', '2'), row('2', '1', { pending: 'update', text: 'New' })];
  const result = read(rows);
  await waitFor(() => expect(result.current.slides).toBeDefined());
  expect(result.current.slides?.map(({ values, image }) => [values['text'], image])).toEqual([
    ['New', '2.jpg'],
    ['Slide 1', '1.jpg'],
  ]);
});

test('a slide whose list has no serial is read from the server, and keeps its waiting text', async () => {
  records.set(1, { id: 1, text: 'Old', serial: 2, image: 'server.jpg', version: 'v9' });
  records.set(2, { id: 2, text: 'Second', serial: 1, image: '2.jpg' });
  const rows = [row('1', '', { pending: 'update', text: 'New' }), row('2', '', { text: 'Second' })];
  const result = read(rows);
  await waitFor(() => expect(result.current.slides).toBeDefined());
  expect(result.current.slides).toEqual([
    {
      recordId: '2',
      values: { text: 'Second', serial: '1' },
      base: { values: { text: 'Second', serial: '1' }, imageIds: [], files: { image: '2.jpg' } },
      image: '2.jpg',
    },
    {
      recordId: '1',
      values: { text: 'New', serial: '2' },
      base: { values: { text: 'Old', serial: '2' }, imageIds: [], files: { image: 'server.jpg' }, version: 'v9' },
      image: '1.jpg',
    },
  ]);
  records.clear();
});
