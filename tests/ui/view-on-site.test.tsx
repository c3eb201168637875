import { render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { sliders } from '../../src/domain/resources/sliders.ts';
import { ViewOnSite } from '../../src/resource/view-on-site.tsx';
import { useSettings } from '../../src/stores/settings.ts';
import { lamp, onNarrowScreen, openList, press } from './open-list.tsx';

const NAME = 'View on the site, in a new tab';
const PAGE = 'https://www.example.com/street-lights/1/';

afterEach(() => useSettings.setState({ siteUrl: '', sitePaths: '' }));

const menuOf = async (name: string) => {
  await press(`More for ${name}`);
  return screen.findByRole('menu');
};

test('a record’s form links to its page on the site, in a new tab, and says so', () => {
  useSettings.setState({ siteUrl: 'https://www.example.com' });
  render(<ViewOnSite resource={sliders} id={3} />);
  const link = screen.getByRole<HTMLAnchorElement>('link', { name: NAME });
  expect([link.href, link.target, link.rel]).toEqual(['https://www.example.com/#3', '_blank', 'noopener']);
  expect(link.textContent).toBe('View on the site');
});

test('nothing links to a site that is not set, or to a page that it does not have', () => {
  const { container, rerender } = render(<ViewOnSite resource={sliders} id={3} />);
  expect(container.textContent).toBe('');
  useSettings.setState({ siteUrl: 'https://www.example.com', sitePaths: 'sliders=' });
  rerender(<ViewOnSite resource={sliders} id={3} />);
  expect(container.textContent).toBe('');
});

test('a row’s menu opens its page on the site', async () => {
  useSettings.setState({ siteUrl: 'https://www.example.com' });
  const opened = vi.spyOn(window, 'open').mockReturnValue(null);
  onNarrowScreen();
  await openList();
  const item = within(await menuOf('Philips M1')).getByRole('menuitem', { name: NAME });
  expect(item.textContent).toBe('View on the site');
  item.click();
  expect(opened.mock.calls).toEqual([[PAGE, '_blank', 'noopener']]);
});

test.each([
  ['that has not reached the server', 'https://www.example.com', { recordId: 'local-1', pending: 'create' }],
  ['without a site', '', {}],
])('a row %s has no page there', async (_, siteUrl, more) => {
  useSettings.setState({ siteUrl });
  onNarrowScreen();
  await openList({ rows: [lamp(1, 'Philips', more)] });
  expect(within(await menuOf('Philips M1')).queryByRole('menuitem', { name: NAME })).toBeNull();
});
