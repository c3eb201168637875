import { act, render, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import NotifyHost from '../../src/app/notify.tsx';
import { notify } from '../../src/stores/notifications.ts';

test('five deletions are not reported as changes saved', async () => {
  render(<NotifyHost />);
  for (let at = 0; at < 5; at += 1) {
    act(() => notify('Partner Deleted Successfully', { kind: 'success' }));
  }
  await waitFor(() => expect(document.body.textContent).toMatch(/5 changes/));
  await new Promise((resolve) => setTimeout(resolve, 2500));
  expect(document.body.textContent).not.toMatch(/5 changes saved/);
});
