import { act, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { openApp } from './page.tsx';
import { stubResizeObserver } from './unmeasured.ts';

const names = ['Acme', 'Bolt', 'Coil', 'Dyna'];
const partners = names.map((name, at) => ({ id: at + 1, name, link: 'https://example.com', image: 'a.png' }));

beforeEach(stubResizeObserver);

/** Opens an address of an app that has four partners on the device. The server does not answer. */
async function openPartners(address: string) {
  const page = await openApp(address);
  const { listCopy, recordCopy } = await import('../../src/api/sources.ts');
  const { resourceOf } = await import('../../src/domain/resources/index.ts');
  const resource = resourceOf('partners');
  listCopy(resource).adopt({ value: partners, fetchedAt: Date.now() });
  for (const value of partners) recordCopy(resource, value.id).adopt({ value, fetchedAt: Date.now() });
  const { rememberOrder } = await import('../../src/resource/list/list-order.ts');
  /** Some of the partners, as their list was last shown. */
  const show = (...ids: readonly number[]) =>
    act(() =>
      rememberOrder(
        resource,
        ids.map((id) => ({ recordId: String(id) })),
      ),
    );
  return { ...page, show };
}

const place = async () => (await screen.findByRole('navigation', { name: 'In the list' })).textContent;
const linkTo = (name: string) => screen.queryByRole('link', { name })?.getAttribute('href');

test('shows the neighbours in the whole list for a record opened by its address', async () => {
  await openPartners('/partner-edit/2');
  expect(await place()).toBe('2 of 4');
  expect([linkTo('Previous'), linkTo('Next')]).toEqual(['/partner-edit/1', '/partner-edit/3']);
});

test('steps through records in the order of the list as last shown', async () => {
  const { show } = await openPartners('/partner-edit/2');
  await show(4, 2);
  expect(await place()).toBe('2 of 2');
  expect([linkTo('Previous'), linkTo('Next')]).toEqual(['/partner-edit/4', undefined]);
});

test('shows the neighbours in the whole list for a record that the narrowed list lacks', async () => {
  const { show } = await openPartners('/partner-edit/2');
  await show(4, 1);
  expect(await place()).toBe('2 of 4');
});

test('shows no neighbours for the only record of a list', async () => {
  const { show } = await openPartners('/partner-edit/2');
  await place();
  await show(2);
  expect(screen.queryByRole('navigation', { name: 'In the list' })).toBeNull();
});
