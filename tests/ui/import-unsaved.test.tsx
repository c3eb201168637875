import 'fake-indexeddb/auto';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { partners } from '../../src/domain/resources/partners.ts';
import ImportDialog from '../../src/resource/csv/import-dialog.tsx';
import { hasUnsavedWork } from '../../src/stores/unsaved.ts';

vi.mock('../../src/stores/notifications.ts', () => ({ notify: vi.fn() }));
vi.mock('../../src/resource/csv/save-import.ts', () => ({ saveImport: vi.fn() }));
vi.mock('../../src/api/sources.ts', () => ({
  recordCopy: () => ({ refresh: async () => {}, state: () => ({ value: { id: 7, name: 'Moon', link: '' } }) }),
}));
afterEach(cleanup);

test('fixes typed into the import are not thrown away by Escape without a question', async () => {
  const onClose = vi.fn();
  render(<ImportDialog resource={partners} rows={[]} onClose={onClose} />);
  const input = screen.getByLabelText<HTMLInputElement>('CSV file and the files it names');
  const text = 'name,link,image\n,not an address,sun.png\n';
  const file = new File([text], 'p.csv', { type: 'text/csv' });
  file.arrayBuffer = async () => new TextEncoder().encode(text).buffer as ArrayBuffer;
  await userEvent.upload(input, [file, new File(['picture'], 'sun.png', { type: 'image/png' })]);
  await userEvent.type(await screen.findByLabelText('Name'), 'Half an hour of fixes');
  expect(hasUnsavedWork()).toBe(true);
  await userEvent.keyboard('{Escape}');
  expect(onClose).not.toHaveBeenCalled();
});
