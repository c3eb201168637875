import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { answers, openApp } from './page.tsx';
import { stubResizeObserver } from './unmeasured.ts';

/** What the page still wants to do while it is idle. */
const waiting = new Set<NodeJS.Timeout>();
vi.stubGlobal('requestIdleCallback', (work: () => void) => {
  const timer = setTimeout(() => {
    waiting.delete(timer);
    work();
  });
  waiting.add(timer);
  return timer;
});
vi.stubGlobal('cancelIdleCallback', (timer: NodeJS.Timeout) => {
  clearTimeout(timer);
  waiting.delete(timer);
});

/** Resolves when the page has prepared everything: it wants no idle time and loads no code. */
async function rested(): Promise<void> {
  for (let quiet = 0; quiet < 5; ) {
    await new Promise((over) => setTimeout(over, 100));
    await vi.dynamicImportSettled();
    quiet = waiting.size === 0 ? quiet + 1 : 0;
  }
}

stubResizeObserver();

test('opens a list’s menus and dialogs in the next frame once the page has been idle', async () => {
  await openApp('/gti-all');
  answers['GET /api/get-gtis'] = () => [
    { id: 1, brand: 'ABB', model: 'UNO', type: 'Single Phase', capacity: '5 kW' },
    { id: 2, brand: 'SMA', model: 'STP', type: 'Three Phase', capacity: '20 kW' },
  ];
  await screen.findByRole('link', { name: 'ABB' });
  await rested();

  fireEvent.click(screen.getByRole('button', { name: 'More' }));
  expect(screen.queryByRole('menuitem', { name: 'Export as CSV' })).not.toBeNull();
  fireEvent.keyDown(screen.getByRole('menuitem', { name: 'Export as CSV' }), { key: 'Escape' });

  fireEvent.click(screen.getByRole('button', { name: 'Filter' }));
  expect(screen.queryByRole('checkbox', { name: /Single Phase/ })).not.toBeNull();
  fireEvent.keyDown(document.body, { key: 'Escape' });

  fireEvent.doubleClick(screen.getByRole('cell', { name: '5 kW' }));
  expect(screen.queryByRole('form', { name: /^Capacity of/ })).not.toBeNull();
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Capacity' }), { key: 'Escape' });

  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  expect(screen.queryByRole('searchbox', { name: 'Find records, pages and actions' })).not.toBeNull();
});
