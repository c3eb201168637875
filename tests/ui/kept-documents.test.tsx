import { cleanup, render, renderHook, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import type { AnyResource } from '../../src/domain/resource.ts';
import { catalogueAction } from '../../src/resource/catalogues/keep-one.ts';
import { canKeep, keepRecord, letRecordGo } from '../../src/resource/catalogues/keep.ts';
import RowMenu from '../../src/resource/list/row-menu.tsx';
import { useKeptDocuments } from '../../src/resource/catalogues/use-kept-documents.ts';
import { catalogueOf } from '../../src/resource/catalogues/wanted.ts';
import { useKeeping, useWishes } from '../../src/stores/catalogues.ts';
import { useNotifications } from '../../src/stores/notifications.ts';
import { soon } from '../harness/soon.ts';

vi.mock('../../src/resource/catalogues/keep.ts', () => ({
  canKeep: vi.fn(),
  keepRecord: vi.fn(),
  letRecordGo: vi.fn(),
}));
vi.mock('../../src/resource/catalogues/wanted.ts', { spy: true });

const GENERATORS = resourceOf('generators');
const ADDRESS = '/uploads/a.pdf';
const ONE = { resource: 'generators', id: 4, title: 'Perkins P4', address: ADDRESS } as const;
const NOTHING = { wanted: new Map(), kept: new Map(), failed: new Map(), running: false, waits: undefined };

beforeEach(() => {
  vi.mocked(canKeep).mockReset().mockReturnValue(true);
  vi.mocked(keepRecord).mockReset().mockResolvedValue(undefined);
  vi.mocked(letRecordGo).mockReset().mockResolvedValue(undefined);
  vi.mocked(catalogueOf).mockReset().mockResolvedValue(ONE);
  useWishes.setState({ kinds: [], records: [] });
  useKeeping.setState(NOTHING);
  useNotifications.getState().take();
});
afterEach(cleanup);

const toasts = () =>
  useNotifications
    .getState()
    .take()
    .map(({ kind, message }) => `${kind}: ${message}`);

describe('the catalogue of a form', () => {
  const view = (recordId: string) => ({ recordId, values: { brand: 'Perkins', generator_model: 'P4' } }) as never;
  const documents = { catalog: { address: ADDRESS, name: 'a.pdf' } } as never;
  const read = (resource: AnyResource = GENERATORS, recordId = '4') =>
    renderHook(() => useKeptDocuments(resource, view(recordId), documents)).result.current['catalog'];
  const words = () => {
    const told = read()?.offline?.words;
    cleanup();
    return told;
  };

  it('is kept on request under its title and address, and removed by another press', () => {
    const offline = read()?.offline;
    expect([offline?.isWanted, offline?.words]).toEqual([false, undefined]);
    offline?.onToggle?.();
    expect(keepRecord).toHaveBeenCalledExactlyOnceWith(ONE);
    cleanup();
    useWishes.setState({ kinds: [], records: [ONE] });
    expect(read()?.offline?.isWanted).toBe(true);
    cleanup();
    read()?.offline?.onToggle?.();
    expect(letRecordGo).toHaveBeenCalledExactlyOnceWith(ONE);
  });

  it('shows its progress', () => {
    useWishes.setState({ kinds: [], records: [ONE] });
    expect(words()).toBe('Downloads when the connection returns');
    useKeeping.setState({ running: true });
    expect(words()).toBe('Downloading…');
    useKeeping.setState({ waits: 'data-saver' });
    expect(words()).toBe('Downloads when data saving is off');
    for (const [reason, said] of [
      ['room', 'Not enough space on this device'],
      ['gone', 'No longer on the server'],
      ['refused', 'Refused by the server'],
    ] as const) {
      useKeeping.setState({ failed: new Map([[ADDRESS, reason]]) });
      expect(words()).toBe(said);
    }
    expect(read()?.offline?.isKept).toBe(false);
    cleanup();
    useKeeping.setState({ kept: new Map([[ADDRESS, 5]]) });
    expect(words()).toBe('On this device');
    expect(read()?.offline?.isKept).toBe(true);
  });

  it('cannot be removed alone if its whole kind is kept', () => {
    useWishes.setState({ kinds: ['generators'], records: [] });
    expect(read()?.offline).toMatchObject({ isWanted: true });
    expect(read()?.offline).not.toHaveProperty('onToggle');
  });

  it('does not count as kept because another record’s is', () => {
    useWishes.setState({
      kinds: ['ups'],
      records: [
        { ...ONE, id: 5 },
        { ...ONE, resource: 'ups' },
      ],
    });
    expect(read()?.offline?.isWanted).toBe(false);
  });

  it('cannot be kept for an unsent record, without a worker, or for the site settings', () => {
    expect(read(GENERATORS, 'local-1')).not.toHaveProperty('offline');
    expect(read(siteMeta)).not.toHaveProperty('offline');
    vi.mocked(canKeep).mockReturnValue(false);
    expect(read()).not.toHaveProperty('offline');
  });
});

describe('the menu of a row', () => {
  const row = { id: 4, brand: 'Perkins', generator_model: 'P4', has_catalog: 1 };
  const offered = (more: object = {}) => catalogueAction(GENERATORS, { ...row, ...more } as never);

  it('offers to keep its catalogue, and says when it is on the device', async () => {
    expect(offered()?.label).toBe('Keep catalogue offline');
    vi.mocked(keepRecord).mockImplementation(async () => useKeeping.setState({ kept: new Map([[ADDRESS, 5]]) }));
    offered()?.run();
    await soon(() => expect(toasts()).toEqual(['done: The catalogue of Perkins P4 is on this device.']));
    expect(keepRecord).toHaveBeenCalledExactlyOnceWith(ONE);
  });

  it('says when it could not be downloaded yet', async () => {
    offered()?.run();
    await soon(() => expect(toasts()).toEqual(['error: The catalogue of Perkins P4 couldn’t be downloaded yet.']));
    vi.mocked(keepRecord).mockClear();
    vi.mocked(catalogueOf).mockResolvedValue(undefined);
    offered()?.run();
    await soon(() => expect(toasts()).toHaveLength(1));
    expect(keepRecord).not.toHaveBeenCalled();
  });

  it('offers to remove it when it is kept by itself', () => {
    useWishes.setState({ kinds: [], records: [ONE] });
    expect(offered()?.label).toBe('Remove catalogue from this device');
    offered()?.run();
    expect(letRecordGo).toHaveBeenCalledExactlyOnceWith({ resource: 'generators', id: 4 });
  });

  it('lists it before Delete, which comes last', () => {
    const at = { row: { recordId: '4', ...row } as never, anchor: document.body };
    const menu = { onClose: vi.fn(), onSelect: vi.fn(), onDelete: vi.fn(), onEdit: vi.fn() };
    render(
      <MemoryRouter>
        <RowMenu resource={GENERATORS} at={at} {...menu} />
      </MemoryRouter>,
    );
    const items = screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
    expect(items.slice(-4)).toEqual(['Select', 'Duplicate', 'Keep catalogue offline', 'Delete']);
  });

  it('offers nothing without a catalogue, if its whole kind is kept, or for an unsent record', () => {
    expect(offered({ has_catalog: 0 })).toBeUndefined();
    expect(offered({ id: 'local-1' })).toBeUndefined();
    vi.mocked(canKeep).mockReturnValueOnce(false);
    expect(offered()).toBeUndefined();
    useWishes.setState({ kinds: ['generators'], records: [] });
    expect(offered()).toBeUndefined();
  });
});
