import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drafts } from '../../src/api/drafts.ts';
import { useKeepDraft } from '../../src/resource/form/use-draft.ts';
import { abandonUnsavedWork, useUnsaved } from '../../src/stores/unsaved.ts';

vi.mock('../../src/api/drafts.ts', () => ({
  drafts: { write: vi.fn(async () => undefined), remove: vi.fn(async () => undefined) },
}));

const typed = { values: { name: 'Typed' }, files: [] };

/** A form that was typed into. */
function Form() {
  useUnsaved(true);
  useKeepDraft('form', typed, true, false);
  return null;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.clearAllMocks();
  vi.useRealTimers();
});

test('what is typed is kept within half a second', async () => {
  render(<Form />);
  await vi.advanceTimersByTimeAsync(500);
  expect(drafts.write).toHaveBeenCalledExactlyOnceWith('form', expect.objectContaining(typed));
});

test('what was given up a moment after it was typed is not kept while the form is still on its way out', async () => {
  render(<Form />);
  act(() => abandonUnsavedWork());
  await vi.advanceTimersByTimeAsync(1000);
  expect(drafts.remove).toHaveBeenCalledWith('form');
  expect(drafts.write).not.toHaveBeenCalled();
});
