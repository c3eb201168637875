import 'fake-indexeddb/auto';
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useList } from '../../src/api/reads.ts';
import { listCopy } from '../../src/api/sources.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';

vi.mock('../../src/api/confirmed-overlay.ts', async (original) => {
  const { openLive } = await import('../../src/stores/live-value.ts');
  const liveOverlay = openLive<never[]>();
  liveOverlay.tell([]);
  return { ...(await original<object>()), liveOverlay };
});

const partners = resourceOf('partners');

afterEach(cleanup);

test('keeps the row objects of a list that is still fresh, so nothing is drawn again', () => {
  const value = [{ id: 7, name: 'Acme' }];
  const copy = listCopy(partners);
  copy.adopt({ value, fetchedAt: 1000 });
  const { result } = renderHook(() => useList(partners));
  const before = result.current.rows;
  expect(before?.map(({ recordId }) => recordId)).toEqual(['7']);
  act(() => copy.adopt({ value, fetchedAt: 2000 }));
  expect(result.current.fetchedAt).toBe(2000);
  expect(result.current.rows).toBe(before);
});
