import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openApp } from './page.tsx';

const device = { isDark: false };

beforeEach(() => {
  const matchMedia = (query: string) => ({
    matches: query.includes('dark') ? device.isDark : query.includes('min-width'),
    media: query,
    addEventListener() {},
    removeEventListener() {},
    addListener() {},
    removeListener() {},
  });
  // The page is opened as a wide one, which says nothing of colours.
  Object.defineProperty(window, 'matchMedia', { configurable: true, get: () => matchMedia, set() {} });
});
afterEach(() => void Reflect.deleteProperty(window, 'matchMedia'));

test.each([
  ['dark', true],
  ['light', false],
])('follows the device’s %s scheme without a choice of its own', async (scheme, isDark) => {
  device.isDark = isDark;
  await openApp('/about');
  await waitFor(() => expect(document.documentElement.dataset['scheme']).toBe(scheme));
});
