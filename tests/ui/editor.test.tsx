import { act, cleanup, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { nadia, openApp } from './page.tsx';
import { stubResizeObserver } from './unmeasured.ts';

/** What an editor, who is not an owner, may do. */

beforeEach(() => {
  stubResizeObserver();
  window.scrollTo = () => undefined;
});

/** Opens the app at an address for an editor. The device knows these partners. */
async function openFor(
  address: string,
  partners: readonly object[] = [{ id: 1, name: 'Acme', link: '', image: 'a.png' }],
) {
  const page = await openApp(address);
  const { useSession } = await import('../../src/stores/session.ts');
  const { listCopy } = await import('../../src/api/sources.ts');
  const { resourceOf } = await import('../../src/domain/resources/index.ts');
  const resource = resourceOf('partners');
  act(() => {
    useSession.setState({ user: { ...nadia, role: 'editor' } });
    listCopy(resource).adopt({ value: partners as never, fetchedAt: Date.now() });
  });
  return page;
}

const main = () => within(screen.getByRole('main'));

test('an editor adds and edits the records of a list, in a table and on a phone', async () => {
  const { user } = await openFor('/partner-all');
  expect(await main().findByRole('link', { name: 'Create New' })).toBeDefined();
  expect(main().getByRole('link', { name: 'Edit Acme' })).toBeDefined();
  await user.click(main().getByRole('checkbox', { name: 'Select Acme' }));
  expect(screen.getByText('1 selected')).toBeDefined();
  await user.click(main().getByRole('checkbox', { name: 'Select all' }));
  expect(screen.queryByText('1 selected')).toBeNull();
  await user.click(main().getByRole('button', { name: 'More' }));
  expect(await screen.findByRole('menuitem', { name: 'Import CSV' })).toBeDefined();
  cleanup();
  await openFor('/partner-all');
  window.matchMedia = (query) =>
    ({ matches: query.includes('max-width'), addEventListener() {}, removeEventListener() {} }) as never;
  expect(await main().findByRole('checkbox', { name: 'Select Acme' })).toBeDefined();
  expect(main().getByRole('button', { name: 'More for Acme' })).toBeDefined();
});

test('an editor can import into an empty list', async () => {
  await openFor('/partner-all', []);
  expect(await main().findByRole('button', { name: 'import a CSV file' })).toBeDefined();
});

test('shows an editor links to new records in the sidebar, on the dashboard and in Find', async () => {
  const { user } = await openFor('/');
  expect(await screen.findByLabelText('New with photo')).toBeDefined();
  expect(await main().findByRole('link', { name: 'New Partner' })).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Partners' }));
  const group = within(screen.getByRole('list', { name: 'Partners' }));
  expect(group.getByRole('link', { name: 'Create New' })).toBeDefined();
  await user.keyboard('{Control>}k{/Control}');
  await user.keyboard('new partner');
  expect(await screen.findByRole('link', { name: /^New Partner/ })).toBeDefined();
});

test('an editor fills in a new record', async () => {
  await openFor('/partner-create');
  expect((await screen.findByLabelText<HTMLInputElement>('Name')).readOnly).toBe(false);
  expect(screen.getByRole('button', { name: 'Add Partner' })).toBeDefined();
});
