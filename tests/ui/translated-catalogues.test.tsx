import 'fake-indexeddb/auto';
import { cleanup, render, renderHook, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RecordView } from '../../src/domain/outbox/optimistic-view.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { catalogue as pseudo } from '../../src/language/pseudo.ts';
import { speak } from '../../src/language/t.ts';
import KeepDialog from '../../src/resource/catalogues/keep-dialog.tsx';
import { useKeptDocuments } from '../../src/resource/catalogues/use-kept-documents.ts';
import { type Keeping, useKeeping, useWishes } from '../../src/stores/catalogues.ts';
import { soon } from '../harness/soon.ts';
import { plainWords, untranslated } from './untranslated.ts';

/** The texts about kept catalogues are translated. */

const measured = vi.hoisted(() => ({ answer: undefined as unknown }));
vi.mock('../../src/api/device.ts', () => ({
  device: async () => ({
    catalogues: { keptCatalogues: async () => new Map(), roomForCatalogues: async () => 1_000_000 },
  }),
}));
vi.mock('../../src/api/prefetch.ts', () => ({ savesData: () => true }));
vi.mock('../../src/resource/catalogues/measure.ts', () => ({ measure: async () => measured.answer }));
vi.mock('../../src/resource/catalogues/wanted.ts', async (original) => ({
  ...(await original<typeof import('../../src/resource/catalogues/wanted.ts')>()),
  cataloguesOf: async () => [{ address: 'p' }],
}));

const wanted = new Map([['p', { resource: 'generators', title: 'Grb' } as const]]);
const STATES: readonly Keeping[] = [
  { wanted, kept: new Map([['p', 3_000_000]]), failed: new Map(), running: false },
  { wanted, kept: new Map(), failed: new Map(), running: true },
  ...(['connection', 'data-saver'] as const).map((waits) => ({
    wanted,
    kept: new Map(),
    failed: new Map(),
    running: false,
    waits,
  })),
  ...(['room', 'gone', 'refused'] as const).map((why) => ({
    wanted,
    kept: new Map(),
    failed: new Map([['p', why]]),
    running: false,
  })),
];

beforeEach(() => {
  speak(pseudo);
  Object.assign(navigator, { serviceWorker: { controller: {} } });
  vi.stubGlobal('caches', {});
  useWishes.setState({ kinds: [], records: [] });
});
afterEach(() => {
  cleanup();
  speak(undefined);
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

test.each([{ bytes: 3_000_000, exact: true }, { bytes: 3_000_000, exact: false }, undefined])(
  'translates the offer of %o',
  async (answer) => {
    measured.answer = answer;
    render(<KeepDialog resource={generators} onClose={vi.fn()} />);
    // read out as soon as it is known
    expect(screen.getByRole('status').textContent).not.toBe('');
    expect(untranslated()).toEqual([]);
    await soon(() => expect(screen.queryByRole('status')).toBeNull());
    expect(untranslated()).toEqual([]);
  },
);

test.each(STATES)('translates the progress of %o', (state) => {
  useWishes.setState({ kinds: ['generators'] });
  useKeeping.setState(state, true);
  render(<KeepDialog resource={generators} onClose={vi.fn()} />);
  expect(untranslated()).toEqual([]);
});

test.each(STATES)('translates the progress of one catalogue: %o', (state) => {
  useWishes.setState({ kinds: ['generators'] });
  useKeeping.setState(state, true);
  const view = { recordId: '4', values: { brand: 'Grb' } } as unknown as RecordView;
  const documents = { catalog: { address: 'p', name: 'p' } } as never;
  const { result } = renderHook(() => useKeptDocuments(generators, view, documents));
  const { words = '' } = result.current['catalog']?.offline ?? {};
  expect(words).not.toBe('');
  expect(plainWords(words)).toEqual([]);
});
