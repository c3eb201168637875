import { fireEvent, renderHook, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { partners } from '../../src/domain/resources/partners.ts';
import { creating, entryOf } from '../domain/outbox/samples.ts';

const overlay = vi.hoisted(() => ({ entries: [] as unknown[] }));
vi.mock('../../src/api/sources.ts', () => ({
  listCopy: () => ({
    load: async () => {},
    state: () => ({ value: [], fetchedAt: 1, refreshing: false, missing: false }),
    subscribe: () => () => {},
  }),
  recordCopy: vi.fn(),
  lookupCopy: vi.fn(),
}));
vi.mock('../../src/api/device.ts', () => ({
  device: async () => ({ cache: { readWhole: async () => undefined } }),
  hasOutbox: async () => false,
}));
vi.mock('../../src/api/confirmed-overlay.ts', () => ({
  liveOverlay: { value: () => overlay.entries, subscribe: () => () => {} },
  notIn: (entries: unknown[]) => entries,
}));
vi.mock('../../src/api/live.ts', () => ({
  liveIdentities: { value: () => new Map() },
  useIdentities: () => new Map(),
}));
vi.mock('../../src/api/pending-creates.ts', () => ({
  liveArrivals: { value: () => new Map(), subscribe: () => () => {} },
}));

test('a record of this name that waits on this device is pointed out in the form', async () => {
  overlay.entries = [entryOf(creating('local-1', { name: 'Acme', link: '' }))];
  const { knownRows } = await import('../../src/api/reads.ts');
  const { useKnown } = await import('../../src/resource/form/use-known.ts');
  expect((await knownRows(partners)).map(({ name }) => name)).toEqual(['Acme']); // its list shows it
  const form = document.createElement('form');
  form.append(document.createElement('input'));
  document.body.append(form);
  const { result } = renderHook(() => useKnown(partners, { current: form }));
  fireEvent.focusIn(form.querySelector('input') as HTMLElement);
  await waitFor(() => expect(result.current.records.map((one) => one['name'])).toEqual(['Acme']));
  form.remove();
});
