import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import UpdatePrompt from '../../src/app/update-prompt.tsx';
import { applyUpdate } from '../../src/api/worker-bridge.ts';
import { CodesDialog } from '../../src/features/account/codes-dialog.tsx';
import { noteUpdate } from '../../src/stores/app-update.ts';

const unsaved = vi.hoisted(() => ({ is: false }));
vi.mock('../../src/api/worker-bridge.ts', () => ({ applyUpdate: vi.fn() }));
vi.mock('../../src/stores/unsaved.ts', () => ({ useHasUnsavedWork: () => unsaved.is }));

const MINUTE = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
  unsaved.is = false;
  noteUpdate('waiting');
});
afterEach(() => {
  cleanup();
  noteUpdate('none');
  vi.useRealTimers();
  vi.clearAllMocks();
});

const wait = (time: number) => act(() => vi.advanceTimersByTime(time));

test('applies a new version once nobody has touched the page for five minutes', () => {
  render(<UpdatePrompt />);
  wait(4 * MINUTE);
  fireEvent.keyDown(document.body);
  wait(4 * MINUTE);
  expect(applyUpdate).not.toHaveBeenCalled();
  wait(MINUTE);
  expect(applyUpdate).toHaveBeenCalledOnce();
});

test('applies it after a minute when the page is hidden', () => {
  render(<UpdatePrompt />);
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  fireEvent(document, new Event('visibilitychange'));
  wait(MINUTE);
  expect(applyUpdate).toHaveBeenCalledOnce();
  vi.restoreAllMocks();
});

test('applies no update while a form is unsaved', () => {
  unsaved.is = true;
  render(<UpdatePrompt />);
  wait(60 * MINUTE);
  expect(applyUpdate).not.toHaveBeenCalled();
  expect(screen.getByRole('button', { name: 'Update' })).toHaveProperty('disabled', true);
});

test('applies no update while a dialog is open, such as codes that are shown only once', () => {
  render(<UpdatePrompt />);
  const { unmount } = render(<CodesDialog codes={['aaaa-bbbb']} onClose={() => {}} />);
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  fireEvent(document, new Event('visibilitychange'));
  wait(60 * MINUTE);
  expect(applyUpdate).not.toHaveBeenCalled();
  unmount();
  wait(MINUTE);
  expect(applyUpdate).toHaveBeenCalledOnce();
  vi.restoreAllMocks();
});

test('applies no update after the page was left', () => {
  const { unmount } = render(<UpdatePrompt />);
  unmount();
  for (const sign of ['pointerdown', 'keydown', 'visibilitychange']) fireEvent(document, new Event(sign));
  wait(60 * MINUTE);
  expect(applyUpdate).not.toHaveBeenCalled();
});

test('only reloads the page for a version that has already taken over, without asking the worker', () => {
  const reload = vi.fn();
  vi.stubGlobal('location', { reload });
  noteUpdate('taken');
  render(<UpdatePrompt />);
  fireEvent.click(screen.getByRole('button', { name: 'Update' }));
  expect(reload).toHaveBeenCalledOnce();
  wait(5 * MINUTE);
  expect(reload).toHaveBeenCalledTimes(2);
  expect(applyUpdate).not.toHaveBeenCalled();
  vi.unstubAllGlobals();
});
