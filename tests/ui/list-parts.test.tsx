import { act, cleanup, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useRef } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { outbox } from '../../src/api/outbox.ts';
import { identityKey, type PendingRow } from '../../src/domain/outbox/optimistic-view.ts';
import { streetLights } from '../../src/domain/resources/street-lights.ts';
import { download } from '../../src/resource/csv/csv-export.ts';
import LabelsDialog from '../../src/resource/list/labels-dialog.tsx';
import { followLongPress } from '../../src/resource/list/long-press.ts';
import { useArrival } from '../../src/resource/list/use-arrival.ts';
import { useSearchKey } from '../../src/resource/list/use-search-key.ts';
import { LocalPicture } from '../../src/resource/local-picture.tsx';
import { usePreferences } from '../../src/stores/preferences.ts';
import { RowMark } from '../../src/resource/list/row-parts.tsx';
import { compactHeight, rowHeight } from '../../src/resource/list/row-size.ts';
import { keepSettings } from '../../src/stores/settings.ts';
import { QrCode } from '../../src/ui/qr-code.tsx';

/** Separate parts of a list: its labels, its gestures and keys, the row that was just saved. */

const identities = vi.hoisted(() => ({ known: undefined as Map<string, number> | undefined }));
vi.mock('../../src/api/live.ts', async (original) => ({
  ...(await original<typeof import('../../src/api/live.ts')>()),
  useIdentities: () => identities.known,
}));

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  identities.known = undefined;
});

const row = (recordId: string, more: object = {}) =>
  ({ recordId, id: Number(recordId), brand: 'Lumen', model: `S${recordId}`, capacity: '90W', ...more }) as PendingRow;
/** A row whose create is pending. */
const waiting = { recordId: 'local-1', brand: 'Lumen', model: 'S9', pending: 'create' } as unknown as PendingRow;

const labels = (rows: readonly PendingRow[], onClose = () => {}) =>
  render(<LabelsDialog resource={streetLights} rows={rows} onClose={onClose} />);

test('has a label for each sent record, which names its kind and links to it', async () => {
  const print = vi.fn<() => void>();
  vi.stubGlobal('print', print);
  labels([row('7'), row('8'), waiting]);
  expect(screen.getByRole('heading', { name: '2 labels' })).toBeDefined();
  expect(screen.getByText('1 record can be printed once sent.')).toBeDefined();
  const [first, second] = screen.getAllByRole('listitem');
  expect(first?.textContent).toContain('Lumen S7');
  expect(first?.textContent).toMatch(/Street Light\u00a07$/);
  expect(second?.textContent).toContain('Lumen S8');
  expect(screen.queryByText(/Lumen S9/)).toBeNull();
  const codes = [first, second].map((label) => label?.querySelector('img')?.src);
  expect(codes[0]).not.toBe(codes[1]);
  await userEvent.click(screen.getByRole('button', { name: 'Print' }));
  expect(print).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});

test('a label has the address of its record as a code, its facts, and the company', async () => {
  keepSettings({ companyLabel: 'Sunrise Power Ltd' });
  const close = vi.fn<() => void>();
  labels([row('7', { origin: 'Italy' })], close);
  const label = screen.getByRole('listitem');
  expect(label.textContent).toBe('Lumen S790W · ItalySunrise Power Ltd · Street Light\u00a07');
  const { container } = render(<QrCode text={`${location.origin}/st-edit/7`} label="" />);
  expect(label.querySelector('img')?.src).toBe(container.querySelector('img')?.src);
  keepSettings({});
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(close).toHaveBeenCalledOnce();
});

test('prints nothing if all records wait, and mentions none if none waits', () => {
  labels([waiting]);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Print' }).disabled).toBe(true);
  cleanup();
  labels([row('7')]);
  expect(screen.getByRole('heading', { name: '1 label' })).toBeDefined();
  expect(screen.queryByText(/once sent/)).toBeNull();
});

/** An element that reports each long press on it. */
function pressed() {
  const element = document.createElement('div');
  const child = element.appendChild(document.createElement('b'));
  document.body.append(element);
  const told = vi.fn<(target: HTMLElement) => void>();
  const stop = followLongPress(element, told);
  const pointer = (type: string, more: object = {}) =>
    child.dispatchEvent(
      Object.assign(new Event(type, { bubbles: true, cancelable: true }), {
        pointerType: 'touch',
        isPrimary: true,
        clientX: 50,
        clientY: 50,
        ...more,
      }),
    );
  return { told, stop, pointer, child };
}

test('reports a long press once, where it is, and swallows the tap that ends it', () => {
  const { told, pointer, child } = pressed();
  pointer('pointerdown');
  vi.advanceTimersByTime(499);
  expect(told).not.toHaveBeenCalled();
  // some browsers open their menu a moment earlier
  expect(pointer('contextmenu')).toBe(false);
  vi.advanceTimersByTime(1);
  expect(told).toHaveBeenCalledExactlyOnceWith(child);
  expect(pointer('contextmenu')).toBe(false);
  pointer('pointerup');
  expect(pointer('click')).toBe(false);
  expect(pointer('click')).toBe(true);
});

test('leaves the browser’s menu to a mouse, and to a finger after its tap', () => {
  const { pointer } = pressed();
  pointer('pointerdown', { pointerType: 'mouse' });
  expect(pointer('contextmenu')).toBe(true);
  pointer('pointerdown');
  pointer('pointerup');
  expect(pointer('contextmenu')).toBe(true);
});

test.each([
  ['a tap', ['pointerup']],
  ['a scroll', ['pointermove']],
  ['a press that the browser takes over', ['pointercancel']],
])('%s is no long press', (_, events) => {
  const { told, pointer } = pressed();
  pointer('pointerdown');
  vi.advanceTimersByTime(300);
  for (const event of events) pointer(event, { clientY: 70 });
  vi.advanceTimersByTime(1000);
  expect(told).not.toHaveBeenCalled();
  expect(pointer('click')).toBe(true);
});

test('accepts a trembling finger, but no mouse, second finger or press after it was stopped', () => {
  const { told, pointer, stop } = pressed();
  pointer('pointerdown');
  pointer('pointermove', { clientX: 56, clientY: 56 });
  vi.advanceTimersByTime(500);
  expect(told).toHaveBeenCalledTimes(1);
  for (const more of [{ pointerType: 'mouse' }, { isPrimary: false }]) {
    pointer('pointerdown', more);
    vi.advanceTimersByTime(1000);
  }
  expect(told).toHaveBeenCalledTimes(1);
  pointer('pointerdown');
  stop();
  vi.advanceTimersByTime(1000);
  pointer('pointerdown');
  vi.advanceTimersByTime(1000);
  expect(told).toHaveBeenCalledTimes(1);
});

function Search() {
  const search = useRef<HTMLInputElement>(null);
  useSearchKey(search);
  return (
    <>
      <input ref={search} aria-label="Search" />
      <textarea aria-label="Text" />
    </>
  );
}

test('the slash focuses the search unless somebody is typing, and is not typed itself', () => {
  const { unmount } = render(<Search />);
  const isSearched = () => document.activeElement === screen.getByLabelText('Search');
  expect(fireEvent.keyDown(screen.getByLabelText('Text'), { key: '/' })).toBe(true);
  for (const held of [{ ctrlKey: true }, { metaKey: true }]) fireEvent.keyDown(document.body, { key: '/', ...held });
  fireEvent.keyDown(document.body, { key: 's' });
  expect(isSearched()).toBe(false);
  expect(fireEvent.keyDown(document.body, { key: '/' })).toBe(false);
  expect(isSearched()).toBe(true);
  unmount();
  expect(fireEvent.keyDown(document.body, { key: '/' })).toBe(true);
});

let visits = 0;

/** A list that is reopened from the form of this record. */
function arrive(saved: string | undefined, rows: readonly PendingRow[]) {
  visits += 1;
  const entries = [{ pathname: '/st-all', key: `visit-${visits}`, state: { back: true, saved } }];
  const wrapper = ({ children }: { children: ReactNode }) => (
    <MemoryRouter initialEntries={entries}>{children}</MemoryRouter>
  );
  const again = () =>
    renderHook(({ shown }) => useArrival(streetLights, shown, 56), { wrapper, initialProps: { shown: rows } });
  return { ...again(), again };
}

const frame = () => act(() => vi.advanceTimersByTimeAsync(50));

test('highlights a saved record once for two seconds, scrolled into view', async () => {
  const scrolled = vi.spyOn(window, 'scrollTo').mockReturnValue();
  const rows = Array.from({ length: 100 }, (_, at) => row(String(at + 1)));
  const { result, unmount, again } = arrive('80', rows);
  expect(result.current.arrived).toBeUndefined();
  await frame();
  expect(result.current.arrived).toBe('80');
  expect(scrolled).toHaveBeenCalledExactlyOnceWith(0, 79 * 56 - window.innerHeight / 2);
  await act(() => vi.advanceTimersByTimeAsync(1800));
  expect(result.current.arrived).toBe('80');
  await act(() => vi.advanceTimersByTimeAsync(300));
  expect(result.current.arrived).toBeUndefined();
  unmount();
  const { result: later } = again();
  await frame();
  expect(later.current.arrived).toBeUndefined();
});

test('does not scroll to a visible saved record, and highlights neither a hidden nor an unsaved one', async () => {
  const scrolled = vi.spyOn(window, 'scrollTo').mockReturnValue();
  const rows = Array.from({ length: 20 }, (_, at) => row(String(at + 1)));
  const inSight = arrive('6', rows);
  await frame();
  expect(inSight.result.current.arrived).toBe('6');
  for (const saved of ['99', undefined]) {
    const { result } = arrive(saved, rows);
    await frame();
    expect(result.current.arrived).toBeUndefined();
  }
  expect(scrolled).not.toHaveBeenCalled();
});

test('a saved record that is hidden behind the bars at the top is scrolled into view', async () => {
  const scrolled = vi.spyOn(window, 'scrollTo').mockReturnValue();
  const list = document.createElement('div');
  list.dataset['rows'] = '';
  document.body.append(list);
  vi.spyOn(list, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, -1000, 300, 5600));
  arrive(
    '20',
    Array.from({ length: 100 }, (_, at) => row(String(at + 1))),
  );
  await frame();
  list.remove();
  expect(scrolled).toHaveBeenCalledExactlyOnceWith(0, 19 * 56 - 1000 - window.innerHeight / 2);
});

test('highlights a new record that has got its server id meanwhile', async () => {
  vi.spyOn(window, 'scrollTo').mockReturnValue();
  identities.known = new Map([[identityKey('street-lights', 'local-9'), 3]]);
  const { result } = arrive('local-9', [row('2'), row('3')]);
  await frame();
  expect(result.current.arrived).toBe('3');
});

test('keeps highlighting a new record that gets its server id meanwhile', async () => {
  vi.spyOn(window, 'scrollTo').mockReturnValue();
  const { result, rerender } = arrive('local-9', [row('2'), { ...waiting, recordId: 'local-9' }]);
  await frame();
  expect(result.current.arrived).toBe('local-9');
  identities.known = new Map([[identityKey('street-lights', 'local-9'), 3]]);
  rerender({ shown: [row('2'), row('3')] });
  expect(result.current.arrived).toBe('3');
});

test('downloads a file under its name, and revokes its address only after it was read', () => {
  URL.createObjectURL = () => 'blob:csv';
  const revoked = vi.fn<(address: string) => void>();
  URL.revokeObjectURL = revoked;
  const clicked: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    clicked.push(`${this.download} ${this.href}`);
  });
  download(new Blob(['id\r\n']), 'partners.csv');
  expect(clicked).toEqual(['partners.csv blob:csv']);
  vi.advanceTimersByTime(30_000);
  expect(revoked).not.toHaveBeenCalled();
  vi.advanceTimersByTime(30_000);
  expect(revoked).toHaveBeenCalledExactlyOnceWith('blob:csv');
});

test('shows a waiting picture from its bytes and releases them, and shows none for a lost one', async () => {
  const reference = { id: 'p', field: 'image', name: 'p.gif', type: 'image/gif', size: 4, sha256: 'ab' };
  URL.createObjectURL = () => 'blob:p';
  const revoked = vi.fn<(address: string) => void>();
  URL.revokeObjectURL = revoked;
  vi.spyOn(outbox, 'file').mockResolvedValue(new File(['GIF8'], 'p.gif'));
  const { container, unmount } = render(<LocalPicture reference={reference} className="row-photo" />);
  await waitFor(() => expect(container.querySelector('img')?.getAttribute('src')).toBe('blob:p'));
  unmount();
  expect(revoked).toHaveBeenCalledExactlyOnceWith('blob:p');
  vi.spyOn(outbox, 'file').mockRejectedValue(new Error('Lost.'));
  const lost = render(<LocalPicture reference={reference} className="row-photo" />);
  await act(() => vi.advanceTimersByTimeAsync(20));
  expect(lost.container.querySelector('img')).toBeNull();
});

test('rows are lower when dense, and higher for gloves', () => {
  const before = usePreferences.getState();
  const heights = [
    { dense: false, large: false },
    { dense: true, large: false },
    { dense: false, large: true },
    { dense: true, large: true },
  ].map((wish) => {
    usePreferences.setState(wish);
    return [rowHeight(streetLights), compactHeight(streetLights, false)];
  });
  usePreferences.setState(before);
  expect(heights).toEqual([
    [56, 72],
    [46, 60],
    [72, 88],
    [62, 76],
  ]);
});

test.each([
  [
    'a conflict',
    { pending: 'update', status: 'conflict', entryId: 'e1' },
    'Edited by someone else too',
    '/outbox/conflict/e1',
  ],
  ['a refusal', { pending: 'update', status: 'refused', entryId: 'e1' }, 'Needs attention', '/outbox'],
])('the mark of %s links to where it is resolved', (_, pending, words, address) => {
  render(<RowMark row={row('7', pending)} />);
  const mark = screen.getByRole('link', { name: words });
  expect(mark.getAttribute('href')).toBe(address);
});
