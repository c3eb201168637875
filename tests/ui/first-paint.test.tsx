import { act } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** What the first paint waits for, and what it does not need. */

const page = vi.hoisted(() => ({
  recovered: Promise.withResolvers<boolean>(),
  screen: Promise.withResolvers<void>(),
  language: Promise.withResolvers<void>(),
  begun: [] as string[],
  background: undefined as Promise<boolean> | undefined,
}));

vi.mock('../../src/api/auth.ts', () => ({ recoverSession: () => page.recovered.promise }));
vi.mock('../../src/app/screens.tsx', () => ({ loadFirstScreen: () => page.screen.promise }));
vi.mock('../../src/stores/language.ts', () => ({
  speakLanguage: () => page.language.promise,
  followLanguage: () => void page.begun.push('language'),
}));
vi.mock('../../src/app/app.tsx', () => ({ App: () => <p>The app</p> }));
vi.mock('../../src/app/background.ts', () => ({
  startBackground: (recovered: Promise<boolean>) => {
    page.begun.push('background');
    page.background = recovered;
  },
}));

const isPainted = () => document.body.textContent === 'The app';
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  localStorage.clear();
  document.body.innerHTML = '<div id="root"></div>';
  Object.assign(page, {
    recovered: Promise.withResolvers(),
    screen: Promise.withResolvers(),
    language: Promise.withResolvers(),
    begun: [],
    background: undefined,
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Starts the page, which gets everything it requests except these. */
async function start(...missing: readonly ('recovered' | 'screen' | 'language')[]): Promise<void> {
  if (!missing.includes('recovered')) page.recovered.resolve(false);
  if (!missing.includes('screen')) page.screen.resolve();
  if (!missing.includes('language')) page.language.resolve();
  await import('../../src/main.tsx');
  await pass(0);
}

test.each(['recovered', 'screen', 'language'] as const)('the first paint waits for: %s', async (one) => {
  await start(one);
  expect([isPainted(), page.begun]).toEqual([false, []]);
  page[one].resolve(true as never);
  await pass(0);
  expect([isPainted(), page.begun]).toEqual([true, ['language', 'background']]);
});

test('the first paint waits at most two seconds for the session, which is settled afterwards', async () => {
  await start('recovered');
  await pass(1999);
  expect(isPainted()).toBe(false);
  await pass(1);
  expect(isPainted()).toBe(true);
  page.recovered.resolve(true);
  expect(await page.background).toBe(true);
});

test('tells the background when the device has no decided session', async () => {
  await start();
  expect(await page.background).toBe(false);
});

test('keeps a session that cannot be read, and paints the page', async () => {
  const told = vi.spyOn(console, 'error').mockReturnValue();
  const failure = new Error('The storage does not answer.');
  page.recovered.reject(failure);
  await start('recovered');
  expect(isPainted()).toBe(true);
  expect(await page.background).toBe(true);
  expect(told).toHaveBeenCalledExactlyOnceWith('The device does not tell who is signed in.', failure);
});

test('paints the page even if the code of a screen or language cannot be loaded', async () => {
  const told = vi.spyOn(console, 'warn').mockReturnValue();
  const failure = new TypeError('Failed to fetch dynamically imported module');
  page.screen.reject(failure);
  page.language.reject(failure);
  await start('screen', 'language');
  expect(isPainted()).toBe(true);
  expect(told).toHaveBeenCalledExactlyOnceWith('The language is not on this device.', failure);
});

test('applies the user’s own preferences before the first paint', async () => {
  localStorage.setItem('access_token', 'token-1');
  localStorage.setItem('voltdesk.user', JSON.stringify({ id: 7, name: 'Nadia Rahman' }));
  localStorage.setItem('voltdesk.preferences.7', JSON.stringify({ state: { leftHanded: true }, version: 0 }));
  await start('recovered');
  const { documentElement: root } = document;
  expect([root.hasAttribute('data-left'), root.hasAttribute('data-large'), isPainted()]).toEqual([true, false, false]);
  page.recovered.resolve(true);
  await pass(0);
});

test('throws if the page has no element for the app', async () => {
  document.body.innerHTML = '';
  await expect(import('../../src/main.tsx')).rejects.toThrow('index.html has no #root');
});
