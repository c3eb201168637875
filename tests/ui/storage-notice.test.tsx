import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { StorageNotice } from '../../src/app/shell/storage-notice.tsx';
import { noteStorage } from '../../src/stores/storage-health.ts';

afterEach(cleanup);

test('says what to do while the storage does not respond, and nothing before and after', () => {
  render(<StorageNotice />);
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toBe('');
  act(() => noteStorage(true));
  expect(alert.textContent).toContain('Close the other Voltdesk tabs.');
  act(() => noteStorage(false));
  expect(alert.textContent).toBe('');
});
