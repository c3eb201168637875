import 'fake-indexeddb/auto';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import FindDialog from '../../src/app/find/find-dialog.tsx';
import HelpDialog from '../../src/app/help/help-dialog.tsx';
import ScanDialog from '../../src/app/scan/scan-dialog.tsx';
import NavDrawer from '../../src/app/shell/nav-drawer.tsx';
import { resourceOf } from '../../src/domain/resources/index.ts';
import KeepDialog from '../../src/resource/catalogues/keep-dialog.tsx';
import ImportDialog from '../../src/resource/csv/import-dialog.tsx';
import BulkEditDialog from '../../src/resource/list/bulk-edit-dialog.tsx';
import LabelsDialog from '../../src/resource/list/labels-dialog.tsx';
import SliderOrder from '../../src/resource/sliders/slider-order.tsx';
import { useSession } from '../../src/stores/session.ts';
import { stubResizeObserver } from './unmeasured.ts';

vi.mock('../../src/app/find/use-finds.ts', () => ({ useFinds: () => [] }));
vi.mock('../../src/fields/photos/camera/use-camera.ts', () => ({ useCamera: () => 'none' }));

const close = vi.fn<() => void>();
const generators = resourceOf('generators');
const ROWS = [{ recordId: '1', id: 1, brand: 'Perkins' }];

beforeEach(() => {
  stubResizeObserver();
  close.mockReset();
  useSession.setState({ user: { id: 7, name: 'Nadia Rahman' }, token: 'token-1' });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const DIALOGS: readonly (readonly [name: string, () => ReactElement])[] = [
  ['Find', () => <FindDialog begin="" onClose={close} />],
  ['Help', () => <HelpDialog onClose={close} />],
  ['Scan a code', () => <ScanDialog onClose={close} />],
  ['Navigation', () => <NavDrawer open onClose={close} />],
  ['Catalogues offline', () => <KeepDialog resource={generators} onClose={close} />],
  ['Import Generators', () => <ImportDialog resource={generators} rows={ROWS} onClose={close} />],
  ['Edit 1 generator', () => <BulkEditDialog resource={generators} rows={ROWS} onClose={close} />],
  ['1 label', () => <LabelsDialog resource={generators} rows={ROWS} onClose={close} />],
  ['Order of the slides', () => <SliderOrder resource={resourceOf('sliders')} rows={[]} onClose={close} />],
];

test.each(DIALOGS)('the dialog “%s” has this name, and Escape closes it', async (name, dialog) => {
  render(<MemoryRouter>{dialog()}</MemoryRouter>);
  await userEvent.click(screen.getByRole('dialog', { name }));
  await userEvent.keyboard('{Escape}');
  expect(close).toHaveBeenCalledOnce();
});

test('the number of results in Find is read out', () => {
  render(
    <MemoryRouter>
      <FindDialog begin="Perkins" onClose={close} />
    </MemoryRouter>,
  );
  expect(screen.getByText('0 results').getAttribute('aria-live')).toBe('polite');
});
