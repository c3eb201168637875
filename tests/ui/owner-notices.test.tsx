import { screen, within } from '@testing-library/react';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { OwnerNotices, RestoreHint, useNotices } from '../../src/features/home/owner-notices.tsx';
import { catalogue as german } from '../../src/language/de.ts';
import { speak } from '../../src/language/t.ts';
import { useServerAbilities } from '../../src/stores/server-abilities.ts';
import { useSession } from '../../src/stores/session.ts';
import { answer, NADIA, sent, show } from './open-screen.tsx';

const NOW = Date.parse('2026-11-28T12:00:00Z');

const NOTICES = [
  { cause: 'backup', text: 'Last backup 2 days ago: overdue.' },
  { cause: 'disk@one', text: 'The disk of one is almost full: 4 % free.' },
  { cause: 'webhook:h', text: 'A message to https://a.test/b has not arrived for a day.' },
  { cause: 'device:8.x', text: 'Safari on iPad of Omar has been silent for three days, and 3 changes wait there.' },
].map((notice) => ({ ...notice, since: new Date(NOW - 7_200_000).toISOString() }));

beforeEach(() => {
  const before = useServerAbilities.getState();
  useServerAbilities.setState({ people: true });
  onTestFinished(() => void useServerAbilities.setState(before, true));
});

function Cards() {
  const page = useNotices();
  return (
    <>
      <OwnerNotices page={page} now={NOW} />
      <RestoreHint page={page} />
    </>
  );
}

test('shows owners what to see to, with the screen that says more', async () => {
  answer('GET /api/notices', { notices: NOTICES, isEmpty: false });
  show(<Cards />);
  const part = await screen.findByRole('region', { name: 'To see to' });
  const links = within(part).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/backups', '/health', '/public-site', '/sessions']);
  expect(part.textContent).toContain('Last backup 2 days ago: overdue. since 2');
  expect(screen.queryByText('Nothing here yet')).toBeNull();
});

test('says it in German', async () => {
  speak(german);
  onTestFinished(() => speak(undefined));
  answer('GET /api/notices', { notices: NOTICES, isEmpty: false });
  show(<Cards />);
  const part = await screen.findByRole('region', { name: 'Zu erledigen' });
  expect(part.textContent).toContain('Die Festplatte von one ist fast voll: 4 % frei.');
  expect(part.textContent).toContain('Omar) meldet sich seit drei Tagen nicht, und 3 Änderungen warten dort.');
});

test('leads an empty installation to its backups', async () => {
  answer('GET /api/notices', { notices: [], isEmpty: true });
  show(<Cards />);
  expect((await screen.findByRole('link', { name: 'Restore from a backup' })).getAttribute('href')).toBe('/backups');
  expect(screen.queryByRole('region', { name: 'To see to' })).toBeNull();
});

test.each([
  ['an editor', 'editor', true],
  ['anybody in front of an existing back end', 'owner', false],
] as const)('asks nothing for %s', async (_name, role, people) => {
  useSession.setState({ user: { ...NADIA, role } });
  useServerAbilities.setState({ people });
  show(<Cards />);
  expect(sent('GET /api/notices')).toEqual([]);
});
