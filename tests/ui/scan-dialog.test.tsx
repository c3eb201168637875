import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation, useNavigationType } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useFinds } from '../../src/app/find/use-finds.ts';
import ScanDialog from '../../src/app/scan/scan-dialog.tsx';
import { useCodeIn, useCodesOf } from '../../src/app/scan/use-codes.ts';
import { routesOf } from '../../src/domain/resource.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { SHARE_PATH } from '../../src/domain/share.ts';
import { useCamera } from '../../src/fields/photos/camera/use-camera.ts';
import { TAKING_SHARED } from '../../src/resource/paths.ts';
import { usePanel } from '../../src/stores/panels.ts';

vi.mock('../../src/app/find/use-finds.ts', () => ({ useFinds: vi.fn(() => []) }));
vi.mock('../../src/app/scan/use-codes.ts', () => ({ useCodesOf: vi.fn(), useCodeIn: vi.fn() }));
vi.mock('../../src/fields/photos/camera/use-camera.ts', () => ({ useCamera: vi.fn(() => 'on') }));

/** The screen of a record that takes photos. */
const RECORD = routesOf(generators).edit(7);

beforeEach(() => {
  usePanel.setState({ open: 'scan', query: '' });
  vi.mocked(useCamera).mockReturnValue('on');
  vi.mocked(useFinds).mockReturnValue([]);
});
afterEach(cleanup);

function Place() {
  const { pathname, search, state } = useLocation();
  return <pre>{JSON.stringify({ at: pathname + search, state, by: useNavigationType() })}</pre>;
}

/** The dialog over a screen. `scan` reads a code in the camera's picture, and returns whether it led somewhere. */
function openOver(path: string) {
  const onClose = vi.fn();
  render(
    <MemoryRouter initialEntries={['/', path]} initialIndex={1}>
      <ScanDialog onClose={onClose} />
      <Place />
    </MemoryRouter>,
  );
  const scan = (text: string) => {
    let isDone: boolean | undefined;
    act(() => {
      isDone = vi.mocked(useCodesOf).mock.lastCall?.[2].found(text);
    });
    return isDone;
  };
  const place = () => JSON.parse(document.querySelector('pre')?.textContent ?? '');
  return { onClose, scan, place };
}

const ofThisSite = (path: string) => `${location.origin}${path}`;

test('opens the screen of a code of this site, whether it takes photos or not', () => {
  for (const path of ['/generators?brand=Perkins', RECORD, '/site-meta']) {
    const { onClose, scan, place } = openOver('/about');
    expect(scan(ofThisSite(path))).toBe(true);
    expect(place()).toEqual({ at: path, state: null, by: 'PUSH' });
    expect(onClose).toHaveBeenCalledOnce();
    cleanup();
  }
});

test('searches for a code that is no address', () => {
  const { scan, place } = openOver('/about');
  expect(scan(' SN-4711 ')).toBe(true);
  expect(usePanel.getState()).toEqual({ open: 'find', query: 'SN-4711' });
  expect(place().at).toBe('/about');
});

test('opens the only record with a serial number', () => {
  vi.mocked(useFinds).mockReturnValue([
    { label: 'P45E', to: RECORD, text: 'p45e sn-4711', resource: 'generators' } as never,
  ]);
  const { scan, place } = openOver('/about');
  expect(scan('SN-4711')).toBe(true);
  expect(place().at).toBe(RECORD);
});

test('assigns shared photos to the record of a scanned code', () => {
  const { onClose, scan, place } = openOver(SHARE_PATH);
  expect(scan(ofThisSite(RECORD))).toBe(true);
  expect(place()).toEqual({ at: RECORD, state: TAKING_SHARED, by: 'REPLACE' });
  expect(onClose).toHaveBeenCalledOnce();
});

test('keeps scanning when the record of a code takes no shared photos', () => {
  const { onClose, scan, place } = openOver(SHARE_PATH);
  expect(scan(ofThisSite('/site-meta'))).toBe(false);
  expect(screen.getByRole('status').textContent).toBe(
    'The record with this code doesn’t take photos. Yours are kept: scan another label.',
  );
  expect(place().at).toBe(SHARE_PATH);
  expect(onClose).not.toHaveBeenCalled();
});

test.each([
  ['Find', '/about', 'find'],
  ['its own search', SHARE_PATH, undefined],
])('opens %s by typing, or by a code that is no address', async (_, path, open) => {
  const { scan } = openOver(path);
  await userEvent.click(screen.getByRole('button', { name: 'Type it instead' }));
  expect(usePanel.getState()).toEqual({ open, query: '' });
  expect(scan('P45E')).toBe(true);
  expect(usePanel.getState()).toEqual({ open, query: 'P45E' });
});

test('reads a photo of a code if there is no camera, and can take another', async () => {
  vi.mocked(useCamera).mockReturnValue('none');
  openOver('/about');
  expect(screen.getByRole('status').textContent).toBe('No camera available. Take a photo of the code instead.');
  expect(screen.getByLabelText('Camera').closest('[hidden]')).not.toBeNull();
  const photo = new File(['x'], 'label.jpg', { type: 'image/jpeg' });
  const input = screen.getByLabelText<HTMLInputElement>('Use a photo');
  await userEvent.upload(input, photo);
  expect(vi.mocked(useCodeIn).mock.lastCall?.[0]).toBe(photo);
  expect(input.value).toBe('');
});

test('shows messages of the code reader in place of the hint', () => {
  openOver('/about');
  expect(screen.getByRole('status').textContent).toMatch(/^Point the camera/);
  act(() => vi.mocked(useCodesOf).mock.lastCall?.[2].tell('Looking for a code…'));
  expect(screen.getByRole('status').textContent).toBe('Looking for a code…');
});

test('Cancel closes the dialog and opens nothing', async () => {
  const { onClose, place } = openOver('/about');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onClose).toHaveBeenCalledOnce();
  expect(place().at).toBe('/about');
});
