import { act, cleanup, render, renderHook } from '@testing-library/react';
import { useMemo } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drafts, type FormDraft } from '../../src/api/drafts.ts';
import { useKeepDraft, useStoredDraft } from '../../src/resource/form/use-draft.ts';
import { abandonUnsavedWork, setUnsaved, useUnsaved } from '../../src/stores/unsaved.ts';

vi.mock('../../src/api/drafts.ts', () => ({
  drafts: { read: vi.fn(), write: vi.fn(async () => undefined), remove: vi.fn(async () => undefined) },
}));

const NO_FILES: FormDraft['files'] = [];

/** A form that was typed into. */
function Form({ name = 'Typed', dirty = true, restored = false, draftKey = 'form' }) {
  useUnsaved(dirty);
  useKeepDraft(draftKey, { values: useMemo(() => ({ name }), [name]), files: NO_FILES }, dirty, restored);
  return null;
}

function setVisibility(state: DocumentVisibilityState): void {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  setVisibility('visible');
  vi.clearAllMocks();
  vi.useRealTimers();
});

test('stores what is typed within half a second', async () => {
  render(<Form />);
  await vi.advanceTimersByTimeAsync(500);
  expect(drafts.write).toHaveBeenCalledExactlyOnceWith('form', expect.objectContaining({ values: { name: 'Typed' } }));
});

test('stores nothing that was just discarded while the form is closing', async () => {
  render(<Form />);
  act(() => abandonUnsavedWork());
  await vi.advanceTimersByTimeAsync(1000);
  expect(drafts.remove).toHaveBeenCalledWith('form');
  expect(drafts.write).not.toHaveBeenCalled();
});

test('work that is announced as unsaved again at once keeps its draft', async () => {
  render(<Form />);
  act(() => {
    abandonUnsavedWork();
    setUnsaved('form', true);
  });
  await vi.advanceTimersByTimeAsync(1000);
  expect(drafts.remove).not.toHaveBeenCalled();
  expect(drafts.write).toHaveBeenCalledOnce();
  act(() => setUnsaved('form', false));
});

test('stores the current text even if typing never pauses', async () => {
  const form = render(<Form />);
  for (const name of ['Typed o', 'Typed on', 'Typed on a', 'Typed on an']) {
    await vi.advanceTimersByTimeAsync(150);
    form.rerender(<Form name={name} />);
  }
  expect(drafts.write).toHaveBeenCalledExactlyOnceWith(
    'form',
    expect.objectContaining({ values: { name: 'Typed on' } }),
  );
});

test('stores what was just typed at once when the page is hidden, and only once', async () => {
  render(<Form />);
  setVisibility('hidden');
  await vi.advanceTimersByTimeAsync(0);
  expect(drafts.write).toHaveBeenCalledTimes(1);
  setVisibility('visible');
  setVisibility('hidden');
  await vi.advanceTimersByTimeAsync(1000);
  expect(drafts.write).toHaveBeenCalledTimes(1);
});

test('stores nothing that was typed and reverted in time', async () => {
  const form = render(<Form />);
  form.rerender(<Form dirty={false} />);
  await vi.advanceTimersByTimeAsync(1000);
  expect(drafts.write).not.toHaveBeenCalled();
});

test('stores text that is typed again after it was reverted', async () => {
  const form = render(<Form />);
  form.rerender(<Form dirty={false} />);
  form.rerender(<Form name="Typed again" />);
  await vi.advanceTimersByTimeAsync(500);
  expect(drafts.write).toHaveBeenCalledExactlyOnceWith(
    'form',
    expect.objectContaining({ values: { name: 'Typed again' } }),
  );
});

test('removes the draft when the text is reverted', async () => {
  const form = render(<Form />);
  await vi.advanceTimersByTimeAsync(500);
  form.rerender(<Form dirty={false} />);
  await vi.advanceTimersByTimeAsync(0);
  expect(drafts.remove).toHaveBeenCalledExactlyOnceWith('form');
});

test('does not let a pending write restore a removed draft', async () => {
  const written = Promise.withResolvers<undefined>();
  vi.mocked(drafts.write).mockReturnValueOnce(written.promise);
  const form = render(<Form />);
  await vi.advanceTimersByTimeAsync(500);
  form.rerender(<Form dirty={false} />);
  await vi.advanceTimersByTimeAsync(0);
  expect(drafts.remove).not.toHaveBeenCalled();
  written.resolve(undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect(drafts.remove).toHaveBeenCalledExactlyOnceWith('form');
});

test('a form that was left writes nothing afterwards', async () => {
  render(<Form />).unmount();
  await vi.advanceTimersByTimeAsync(1000);
  expect(drafts.write).not.toHaveBeenCalled();
});

test.each([
  ['moves with a record that got its server id', undefined, 'Under the local id'],
  ['is superseded by later text under the new id', 'Under the new id', 'Under the new id'],
])('a draft %s, and the old one is removed', async (_, newer, opened) => {
  const draft = (name: string) => ({ values: { name }, files: [], savedAt: 1 });
  const kept = new Map<string, FormDraft>([['local', draft('Under the local id')]]);
  if (newer !== undefined) kept.set('7', draft(newer));
  vi.mocked(drafts.read).mockImplementation(async (key) => kept.get(key));
  vi.mocked(drafts.write).mockImplementation(async (key, one) => void kept.set(key, { ...draft(''), ...one }));
  vi.mocked(drafts.remove).mockImplementation(async (key) => void kept.delete(key));
  const { result } = renderHook(() => useStoredDraft('7', 'local'));
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(result.current?.values).toEqual({ name: opened });
  expect([...kept.keys()]).toEqual(['7']);
});

test('removes a restored draft that is reverted', async () => {
  const form = render(<Form restored />);
  form.rerender(<Form restored dirty={false} />);
  await vi.advanceTimersByTimeAsync(0);
  expect(drafts.remove).toHaveBeenCalledExactlyOnceWith('form');
});

test('a draft moves with its form to another key', async () => {
  const form = render(<Form />);
  await vi.advanceTimersByTimeAsync(500);
  form.rerender(<Form draftKey="7" />);
  await vi.advanceTimersByTimeAsync(500);
  expect(drafts.remove).toHaveBeenCalledExactlyOnceWith('form');
  expect(vi.mocked(drafts.write).mock.calls.map(([key]) => key)).toEqual(['form', '7']);
});

test('a draft that could not be stored blocks neither the next one nor its removal', async () => {
  vi.spyOn(console, 'warn').mockReturnValueOnce();
  vi.mocked(drafts.write).mockRejectedValueOnce(new Error('No room.'));
  const form = render(<Form />);
  await vi.advanceTimersByTimeAsync(500);
  form.rerender(<Form name="Shorter" />);
  await vi.advanceTimersByTimeAsync(500);
  expect(drafts.write).toHaveBeenLastCalledWith('form', expect.objectContaining({ values: { name: 'Shorter' } }));
  form.rerender(<Form dirty={false} />);
  await vi.advanceTimersByTimeAsync(0);
  expect(drafts.remove).toHaveBeenCalledExactlyOnceWith('form');
});

test('a form whose draft cannot be read opens without one', async () => {
  vi.mocked(drafts.read).mockRejectedValueOnce(new Error('No storage.'));
  const { result } = renderHook(() => useStoredDraft('7'));
  expect(result.current).toBeUndefined();
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(result.current).toBeNull();
});
