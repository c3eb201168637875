import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askToLeave, guardUnload, mayLeave } from '../../src/app/leaving.ts';
import {
  abandonUnsavedWork,
  hasUnsavedWork,
  isFormInUse,
  setUnsaved,
  useHasUnsavedWork,
  useStaying,
  useUnsaved,
  watchUnsaved,
} from '../../src/stores/unsaved.ts';
import { confirm } from '../../src/ui/confirm.tsx';

vi.mock('../../src/ui/confirm.tsx', () => ({ confirm: vi.fn() }));

beforeEach(() => {
  vi.mocked(confirm).mockReset();
  setUnsaved('form', true);
});

afterEach(() => setUnsaved('form', false));

/** Whether the browser would ask before the page is closed. */
function asksBeforeClosing(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}

test('asks nothing when nothing would be lost', () => {
  setUnsaved('form', false);
  expect(mayLeave()).toBe(true);
  expect(confirm).not.toHaveBeenCalled();
});

test('keeps unsaved work when the user stays', async () => {
  vi.mocked(confirm).mockResolvedValue(false);
  expect(await mayLeave()).toBe(false);
  expect(hasUnsavedWork()).toBe(true);
});

test('drops unsaved work after a destructive confirmation', async () => {
  vi.mocked(confirm).mockResolvedValue(true);
  expect(await mayLeave()).toBe(true);
  expect(hasUnsavedWork()).toBe(false);
  expect(confirm).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ confirmLabel: 'Leave', cancelLabel: 'Stay', destructive: true }),
  );
});

test('drops nothing while the user may still stay', async () => {
  vi.mocked(confirm).mockResolvedValue(true);
  expect(await askToLeave()).toBe(true);
  expect(hasUnsavedWork()).toBe(true);
});

test('the browser asks before closing while there is unsaved work', () => {
  setUnsaved('form', false);
  guardUnload();
  expect(asksBeforeClosing()).toBe(false);
  setUnsaved('form', true);
  setUnsaved('another form', true);
  expect(asksBeforeClosing()).toBe(true);
  setUnsaved('another form', false);
  expect(asksBeforeClosing()).toBe(true);
  setUnsaved('form', false);
  expect(asksBeforeClosing()).toBe(false);
});

test('a form counts as unsaved while it is open and differs from what is stored', () => {
  setUnsaved('form', false);
  const { rerender, unmount } = renderHook(({ dirty }) => useUnsaved(dirty), { initialProps: { dirty: false } });
  expect(hasUnsavedWork()).toBe(false);
  rerender({ dirty: true });
  expect(hasUnsavedWork()).toBe(true);
  rerender({ dirty: false });
  expect(hasUnsavedWork()).toBe(false);
  rerender({ dirty: true });
  unmount();
  expect(hasUnsavedWork()).toBe(false);
});

test('a form that waits for its answer stays in use until it closes, even after its work was discarded', () => {
  const { rerender, unmount } = renderHook(({ busy }) => useStaying(busy), { initialProps: { busy: true } });
  abandonUnsavedWork();
  expect([hasUnsavedWork(), isFormInUse()]).toEqual([false, true]);
  rerender({ busy: false });
  expect(isFormInUse()).toBe(false);
  rerender({ busy: true });
  unmount();
  expect(isFormInUse()).toBe(false);
});

test('components and listeners follow whether there is unsaved work', () => {
  const { result } = renderHook(() => useHasUnsavedWork());
  const changed = vi.fn<() => void>();
  const stop = watchUnsaved(changed);
  expect(result.current).toBe(true);
  act(() => setUnsaved('form', false));
  expect(result.current).toBe(false);
  expect(changed).toHaveBeenCalledOnce();
  stop();
  act(() => setUnsaved('form', true));
  expect(changed).toHaveBeenCalledOnce();
});
