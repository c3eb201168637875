import { act, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { SiteContactCard } from '../../src/features/home/site-contact-card.tsx';
import { useConnection } from '../../src/stores/connection.ts';
import { useServerAbilities } from '../../src/stores/server-abilities.ts';
import { soon } from '../harness/soon.ts';
import { answer, sent, show, unreachable } from './open-screen.tsx';

const CALL = 'GET /api/site-contact';
const NOW = new Date(2026, 10, 20, 12).getTime();
const at = (hours: number) => new Date(NOW + hours * 3_600_000).toISOString();

afterEach(() => useServerAbilities.setState({}, true));

test('the first page says when the site last read, and when it was last told of a change', async () => {
  useServerAbilities.setState({ content: true });
  answer(CALL, { readAt: at(-1), toldAt: at(-24) });
  show(<SiteContactCard now={NOW} />);
  const region = await screen.findByRole('region', { name: 'Public site' });
  expect(region.textContent).toContain('Last read 11:00.');
  expect(region.textContent).toContain('Last told of a change yesterday 12:00.');
});

test('it says nothing of messages where there were none', async () => {
  useServerAbilities.setState({ content: true });
  answer(CALL, {});
  show(<SiteContactCard now={NOW} />);
  expect((await screen.findByRole('region', { name: 'Public site' })).textContent).toBe('Public siteNot read yet.');
});

test('it says nothing without an answer, since what was true before may not be now', async () => {
  useServerAbilities.setState({ content: true });
  answer(CALL, { readAt: at(-1) });
  show(<SiteContactCard now={NOW} />);
  await screen.findByText(/Last read/);
  answer(CALL, unreachable());
  for (const radio of [false, true]) act(() => useConnection.setState({ radio, answers: undefined }));
  await soon(() => expect(screen.queryByText(/Last read/)).toBeNull());
});

test('a server that the site does not read from is not asked', () => {
  show(<SiteContactCard now={NOW} />);
  expect(sent(CALL)).toEqual([]);
});
