import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** Debian's. */
const SHELLS = ['/usr/bin/chromium-headless-shell'];

/**
 * The path of a Chromium for tests: `CHROMIUM_PATH`, else an installed one, else the one that Playwright downloaded.
 * Undefined if there is none.
 */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM_PATH'];
  if (named) return named;
  const folders = ['/usr/bin', ...(process.env['PATH'] ?? '').split(delimiter)];
  const installed = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...installed, chromium.executablePath()].find((path) => existsSync(path));
}

/**
 * The path of Chromium's headless shell, or of a Chromium if there is none. It is the same engine without the browser around
 * it (tabs, menus, translation, passwords), and needs a fifth less processor time. `CHROMIUM_PATH` overrides it.
 */
export function findHeadlessShell(): string | undefined {
  const shell = process.env['CHROMIUM_PATH'] ? [] : SHELLS.filter((path) => existsSync(path));
  return shell[0] ?? findChromium();
}

/** Arguments for tests: no background traffic, and no sandbox only if Chromium refuses to start with one (as root). */
export const chromiumArgs: readonly string[] = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
];
