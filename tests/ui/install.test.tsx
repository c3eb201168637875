import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followInstallOffer, install, putOffInstalling, useInstallWay } from '../../src/stores/install.ts';
import { UNTOUCHED, usePreferences } from '../../src/stores/preferences.ts';

const DAY = 24 * 60 * 60 * 1000;

const system = { agent: '', points: 0, installed: false };

followInstallOffer();

beforeEach(() => {
  Object.assign(system, { agent: 'Mozilla/5.0 (X11; Linux x86_64)', points: 0, installed: false });
  vi.spyOn(navigator, 'userAgent', 'get').mockImplementation(() => system.agent);
  Object.defineProperty(navigator, 'maxTouchPoints', { get: () => system.points, configurable: true });
  window.matchMedia = (query) =>
    ({ matches: query === '(display-mode: standalone)' && system.installed }) as MediaQueryList;
  usePreferences.setState(UNTOUCHED);
  window.dispatchEvent(new Event('appinstalled'));
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The browser's offer to install, and the user's answer. */
function offer(outcome: 'accepted' | 'dismissed' = 'accepted') {
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
    prompt: vi.fn(async () => ({ outcome })),
  });
  act(() => void window.dispatchEvent(event));
  return event;
}

const way = () => {
  const { result } = renderHook(() => useInstallWay());
  return result.current;
};

test('holds the browser’s install prompt back until it is wanted', () => {
  expect(way()).toBe('none');
  const event = offer();
  expect(event.defaultPrevented).toBe(true);
  expect(way()).toBe('ask');
  expect(event.prompt).not.toHaveBeenCalled();
});

test('prompts once, and offers nothing after the installation', async () => {
  const event = offer();
  await install();
  expect(event.prompt).toHaveBeenCalledOnce();
  expect(way()).toBe('none');
  offer();
  act(() => void window.dispatchEvent(new Event('appinstalled')));
  expect(way()).toBe('none');
});

test('hides the hint for two months after a refusal', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 23) });
  offer('dismissed');
  await install();
  offer();
  vi.setSystemTime(Date.now() + 60 * DAY - 1);
  expect(way()).toBe('none');
  vi.setSystemTime(Date.now() + 1);
  expect(way()).toBe('ask');
});

test('does not postpone the hint after an acceptance', async () => {
  offer('accepted');
  await install();
  expect(usePreferences.getState().installHintAfter).toBe(0);
  putOffInstalling();
  expect(usePreferences.getState().installHintAfter).toBeGreaterThan(Date.now());
});

test.each([
  ['an iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 5, 'by-hand'],
  ['an iPad that says so', 'Mozilla/5.0 (iPad; CPU OS 12_0 like Mac OS X)', 5, 'by-hand'],
  ['an iPad that says it is a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 5, 'by-hand'],
  ['a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0, 'none'],
  ['a tablet of another make', 'Mozilla/5.0 (Linux; Android 15)', 5, 'none'],
])('finds the way to install on %s', (_, agent, points, told) => {
  Object.assign(system, { agent, points });
  expect(way()).toBe(told);
});

test('offers nothing in the installed app', () => {
  Object.assign(system, { agent: 'Mozilla/5.0 (iPhone)', points: 5, installed: true });
  expect(way()).toBe('none');
});
