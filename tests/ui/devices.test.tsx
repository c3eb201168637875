import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildOfApp } from '../../src/api/device-report.ts';
import SessionsScreen from '../../src/features/account/sessions-screen.tsx';
import { useSession } from '../../src/stores/session.ts';
import { answer, answerQuestion, NADIA, sent, show } from './open-screen.tsx';

const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const OWN = {
  id: 's1',
  device: 'Chrome on Android',
  address: '',
  signedInAt: ago(2),
  lastSeenAt: ago(0),
  isThis: true,
  waiting: 2,
  waitingSince: ago(1),
  version: 'index-a',
  used: 120,
  quota: 4000,
};
const THEIRS = { id: '8.x', person: 'Omar Faruk', device: 'Safari on iPad', version: 'index-b' };

test('shows everybody the state of their own devices, and owners that of all', async () => {
  answer('GET /api/sessions', [OWN]);
  answer('GET /api/devices', [
    { ...THEIRS, lastSeenAt: ago(4), waiting: 3, waitingSince: ago(5) },
    { ...THEIRS, id: '8.y', lastSeenAt: ago(4) },
  ]);
  show(<SessionsScreen />);
  const own = await screen.findByRole('region', { name: 'Sessions' });
  expect(own.textContent).toMatch(
    /2 changes waiting there · the oldest saved .* · 120\.0 MB of 4\.0 GB used · another version of the app/,
  );
  const all = await screen.findByRole('region', { name: 'Devices of everyone' });
  const lines = within(all).getAllByRole('listitem');
  expect(lines[0]?.textContent).toMatch(/Omar Faruk, Safari on iPadSilent with changes.*3 changes waiting there/);
  expect(lines[1]?.textContent).not.toContain('Silent');
  answer('POST /api/devices/8.x/forget', { message: 'Device removed from the list' });
  within(lines[0] ?? all)
    .getByRole('button', { name: 'Remove Safari on iPad of Omar Faruk' })
    .click();
  const asked = await answerQuestion('Remove Safari on iPad of Omar Faruk from the list?', 'Remove');
  expect(asked).toContain('3 changes wait there and are nowhere else.');
  expect(sent('POST /api/devices/8.x/forget')).toHaveLength(1);
});

test('asks for no device of others for those who are no owners', async () => {
  useSession.setState({ user: { ...NADIA, role: 'editor' } });
  answer('GET /api/sessions', [{ ...OWN, version: buildOfApp() }]);
  show(<SessionsScreen />);
  const own = await screen.findByRole('region', { name: 'Sessions' });
  expect(own.textContent).toContain('same version of the app');
  expect(screen.queryByText('Devices of everyone')).toBeNull();
  expect(sent('GET /api/devices')).toEqual([]);
});
