import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { HEALTH_PATH } from '../../src/domain/protocol/health.ts';
import AboutScreen from '../../src/features/about/about-screen.tsx';
import { WifiSelect } from '../../src/features/account/wifi-select.tsx';
import HealthScreen from '../../src/features/health/health-screen.tsx';
import NotFoundScreen from '../../src/features/not-found/not-found-screen.tsx';
import SelfCheckScreen from '../../src/features/self-check/self-check-screen.tsx';
import { useServerAbilities } from '../../src/stores/server-abilities.ts';
import { useSession } from '../../src/stores/session.ts';
import { answer, NADIA, press, sent, show, told, unreachable } from './open-screen.tsx';

/** The screens about the server, the device and the app, and the choice of what waits for Wi-Fi. */

const device = vi.hoisted(() => ({
  queue: undefined as object | undefined,
  link: 'cellular' as string | undefined,
  keepForWifi: vi.fn<(over: number | undefined) => Promise<void>>(),
  selfCheck: vi.fn<() => Promise<readonly object[]>>(),
  askPersistence: vi.fn<() => Promise<string>>(),
}));
vi.mock('../../src/api/live.ts', () => ({ useQueueState: () => device.queue }));
vi.mock('../../src/api/outbox.ts', () => ({
  StorageFullError: class extends Error {},
  FileUnreadableError: class extends Error {},
  outbox: { keepForWifi: device.keepForWifi },
}));
vi.mock('../../src/offline/storage/link-type.ts', () => ({ linkType: () => device.link }));
vi.mock('../../src/api/self-check.ts', () => ({
  selfCheck: device.selfCheck,
  askPersistence: device.askPersistence,
}));

const GB = 1024 ** 3;
const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const health = (more: object = {}) => ({
  version: '1.0.0',
  startedAt: ago(30),
  diskFree: 60 * GB,
  diskSize: 100 * GB,
  largestRequest: 100 * 1024 * 1024,
  databaseSize: 40 * 1024 * 1024,
  picturesWaiting: 0,
  backup: { at: ago(2), everyHours: 24, isEncrypted: true },
  ...more,
});

beforeEach(() => {
  Object.assign(device, { queue: { travel: { uploads: new Map() } }, link: 'cellular' });
  device.keepForWifi.mockResolvedValue();
  device.selfCheck.mockResolvedValue([{ name: 'Storage', value: '3.0 MB' }]);
  device.askPersistence.mockResolvedValue('granted');
});
afterEach(() => {
  vi.unstubAllGlobals();
  for (const work of [device.keepForWifi, device.selfCheck, device.askPersistence]) work.mockReset();
});

const lines = async () => within(await screen.findByRole('region', { name: 'Health' })).findAllByRole('listitem');
const signs = (line: HTMLElement | undefined) =>
  [...(line?.querySelectorAll('svg') ?? [])].map((sign) => (sign as SVGElement).dataset['testid']);

test('shows a healthy server without warnings', async () => {
  answer(`GET ${HEALTH_PATH}`, health());
  show(<HealthScreen />);
  for (const line of await lines()) {
    // what nobody has looked at has no tick
    const isUnchecked = line.textContent.includes('Not checked');
    expect(signs(line)).toEqual([isUnchecked ? 'HorizontalRuleOutlinedIcon' : 'CheckOutlinedIcon']);
    expect(line.textContent).not.toMatch(/Needs attention/);
  }
});

test('shows what is wrong with the server and how urgent it is', async () => {
  answer(`GET ${HEALTH_PATH}`, health({ problem: 'The database is locked.', backup: { isEncrypted: false } }));
  show(<HealthScreen />);
  const found = await lines();
  const bad = found.find((line) => line.textContent.includes('The database is locked.'));
  expect(bad?.textContent).toMatch(/^ServerNeeds attention now/);
  expect(signs(bad)).toEqual(['PriorityHighOutlinedIcon']);
});

test('distinguishes warnings from urgent problems', async () => {
  const soon = new Date(Date.now() + 10 * 24 * 3_600_000).toISOString();
  answer(`GET ${HEALTH_PATH}`, health({ certificate: { validUntil: soon } }));
  show(<HealthScreen />);
  const certificate = (await lines()).find((line) => line.textContent.startsWith('Certificate'));
  expect(certificate?.textContent).toContain('CertificateNeeds attention soon');
  expect(signs(certificate)).toEqual(['PriorityHighOutlinedIcon']);
});

test('reports an unreachable server, and retries', async () => {
  answer(`GET ${HEALTH_PATH}`, unreachable());
  show(<HealthScreen />);
  expect(await screen.findByText('Can’t reach the server.')).toBeDefined();
  answer(`GET ${HEALTH_PATH}`, health());
  await press('Retry');
  expect(await lines()).not.toEqual([]);
});

test('shows server health, and the link to it, only to owners', () => {
  const { unmount } = show(<AboutScreen />);
  const links = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  // a gateway has no such screen, and knows no roles
  expect(links()).toEqual(['/self-check']);
  act(() => useServerAbilities.setState({ people: true }));
  onTestFinished(() => void useServerAbilities.setState({}, true));
  expect(links()).toEqual(['/self-check', '/health']);
  unmount();
  useSession.setState({ user: { ...NADIA, role: 'editor' } });
  const about = show(<AboutScreen />);
  expect(links()).toEqual(['/self-check']);
  about.unmount();
  show(<HealthScreen />);
  expect(screen.getByText('Only owners can see server health')).toBeDefined();
  expect(sent(`GET ${HEALTH_PATH}`)).toEqual([]);
});

test('links an unknown address to the dashboard', () => {
  show(<NotFoundScreen />);
  expect(screen.getByRole('link', { name: 'Dashboard' }).getAttribute('href')).toBe('/');
});

const choice = () => screen.getByRole<HTMLSelectElement>('combobox', { name: /^Wi-Fi only/ });

test('shows the chosen size from which files wait for Wi-Fi', () => {
  device.queue = { travel: { uploads: new Map(), wifiOver: 5_000_000 } };
  show(<WifiSelect id="wifi" />);
  expect(choice().selectedOptions[0]?.text).toBe('For files over 5.0 MB');
  expect([...choice().options].map(({ value }) => value)).toEqual([
    '',
    '1000000',
    '2000000',
    '5000000',
    '10000000',
    '20000000',
  ]);
});

test('stores a size in bytes, and any connection as none', async () => {
  device.queue = { travel: { uploads: new Map(), wifiOver: 5_000_000 } };
  show(<WifiSelect id="wifi" />);
  await userEvent.selectOptions(choice(), 'For files over 2.0 MB');
  expect(device.keepForWifi).toHaveBeenLastCalledWith(2_000_000);
  await userEvent.selectOptions(choice(), 'Send files over any connection');
  expect(device.keepForWifi).toHaveBeenLastCalledWith(undefined);
});

test('reports a choice that could not be stored', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  device.keepForWifi.mockRejectedValue(new Error('locked'));
  show(<WifiSelect id="wifi" />);
  await userEvent.selectOptions(choice(), 'For files over 2.0 MB');
  await told('error: This device’s storage isn’t responding. Nothing was changed. Try again. (locked)');
  expect(choice().value).toBe('');
});

test.each([
  ['the browser reports no network type', { link: undefined }],
  ['the device has not been asked yet', { queue: undefined }],
])('offers no Wi-Fi choice when %s', (_, state) => {
  Object.assign(device, state);
  show(<WifiSelect id="wifi" />);
  expect(screen.queryByRole('combobox')).toBeNull();
});

test('copies the facts line by line, and checks them again', async () => {
  const write = vi.fn<(text: string) => Promise<void>>().mockResolvedValue();
  vi.stubGlobal('navigator', Object.assign(navigator, { clipboard: { writeText: write } }));
  device.selfCheck.mockResolvedValue([
    { name: 'Storage', value: '3.0 MB' },
    { name: 'Queue', value: '0 waiting' },
  ]);
  show(<SelfCheckScreen />);
  await screen.findByText('0 waiting');
  await press('Copy');
  await told('done: Copied');
  expect(write).toHaveBeenCalledExactlyOnceWith('Storage: 3.0 MB\nQueue: 0 waiting');
  device.selfCheck.mockResolvedValue([{ name: 'Queue', value: '1 waiting' }]);
  await press('Check again');
  expect(await screen.findByText('1 waiting')).toBeDefined();
  expect(write).toHaveBeenCalledOnce();
  write.mockRejectedValue(new Error('denied'));
  fireEvent.click(screen.getByRole('button', { name: 'Copy' }));
  await told('error: This browser blocks copying. Take a screenshot.');
});

test('requests persistent storage, then checks again', async () => {
  show(<SelfCheckScreen />);
  await screen.findByText('3.0 MB');
  device.selfCheck.mockResolvedValue([{ name: 'Persistent storage', value: 'yes' }]);
  await press('Ask to keep my changes');
  expect(await screen.findByText('yes')).toBeDefined();
  expect(device.askPersistence).toHaveBeenCalledOnce();
  await act(async () => {});
});
