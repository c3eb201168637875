import 'fake-indexeddb/auto';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { partners } from '../../src/domain/resources/partners.ts';
import ImportDialog from '../../src/resource/csv/import-dialog.tsx';
import { notify } from '../../src/stores/notifications.ts';
import { useConnection } from '../../src/stores/connection.ts';
import type { saveImport as SaveImport } from '../../src/resource/csv/save-import.ts';

vi.mock('../../src/stores/notifications.ts', () => ({ notify: vi.fn() }));
const outbox = vi.hoisted(() => ({ saveImport: vi.fn<typeof SaveImport>() }));
vi.mock('../../src/resource/csv/save-import.ts', () => outbox);
vi.mock('../../src/api/sources.ts', () => ({
  recordCopy: () => ({ refresh: async () => {}, state: () => ({ value: { id: 7, name: 'Moon', link: '' } }) }),
}));
afterEach(cleanup);

test('an import without a connection does not say that it is being sent', async () => {
  useConnection.setState({ radio: false });
  outbox.saveImport.mockResolvedValue({ saved: [2], problems: [] });
  render(<ImportDialog resource={partners} rows={[]} onClose={() => {}} />);
  const input = screen.getByLabelText<HTMLInputElement>('CSV file and the files it names');
  const file = new File(['name,link,image\nSun,,sun.png\n'], 'p.csv', { type: 'text/csv' });
  file.arrayBuffer = async () => new TextEncoder().encode('name,link,image\nSun,,sun.png\n').buffer as ArrayBuffer;
  await userEvent.upload(input, [file, new File(['picture'], 'sun.png', { type: 'image/png' })]);
  await userEvent.click(await screen.findByRole('button', { name: 'Import 1 line' }));
  expect(
    vi
      .mocked(notify)
      .mock.calls.map(([words]) => words)
      .join(),
  ).not.toMatch(/being sent/);
});
