import { cleanup, render } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import Panels from '../../src/app/panels.tsx';
import { soon } from '../harness/soon.ts';

const loaded = vi.hoisted(() => [] as string[]);
const part = vi.hoisted(() => (name: string) => () => {
  loaded.push(name);
  return { default: () => null };
});
vi.mock('../../src/app/find/find-dialog.tsx', part('find'));
vi.mock('../../src/app/help/help-dialog.tsx', part('help'));
vi.mock('../../src/app/scan/scan-dialog.tsx', part('scan'));

afterEach(cleanup);

test('the panels are fetched before they are opened, so that each opens without a connection', async () => {
  render(
    <MemoryRouter>
      <Panels />
    </MemoryRouter>,
  );
  await soon(() => expect(loaded.toSorted()).toEqual(['find', 'help', 'scan']));
});
