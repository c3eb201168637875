import { beforeEach, expect, test, vi } from 'vitest';
import { ApiFailure } from '../../src/api/failure.ts';
import { get } from '../../src/api/request.ts';
import { refreshSettings } from '../../src/api/settings.ts';
import { keepSettings, useSettings } from '../../src/stores/settings.ts';

vi.mock('../../src/api/request.ts', () => ({ get: vi.fn() }));

const brand = () => useSettings.getState().brandLabel;

beforeEach(() => {
  vi.mocked(get).mockReset();
  keepSettings({ brandLabel: 'Watt & Co' });
});

test('stores the installation’s settings from the server', async () => {
  vi.mocked(get).mockResolvedValue({ body: { brandLabel: 'Ampere' } } as never);
  await refreshSettings();
  expect(get).toHaveBeenCalledExactlyOnceWith('/settings.json');
  expect(brand()).toBe('Ampere');
});

test.each([
  ['cannot be reached', () => Promise.reject(new ApiFailure('unreachable', 'Can’t reach the server.'))],
  ['answers with nothing', async () => ({ body: null })],
  ['answers with a text', async () => ({ body: 'OK' })],
])('keeps the settings if the server %s', async (_, answers) => {
  vi.mocked(get).mockImplementation(answers as never);
  await refreshSettings();
  expect(brand()).toBe('Watt & Co');
});

test('does not treat a fault of the app as an answer of the server', async () => {
  vi.mocked(get).mockRejectedValue(new TypeError('get is broken'));
  await expect(refreshSettings()).rejects.toThrow('get is broken');
});
