import { cleanup, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, vi } from 'vitest';
import { outboxDatabase } from '../../src/offline/storage/outbox-database.ts';
import { emptyStorage } from './empty-storage.ts';
import { leavePage } from './shared-page.ts';

afterEach(async () => {
  cleanup();
  // Imports still pending after the end of the file would have nothing left to load from.
  await vi.dynamicImportSettled();
});

/** The fake server's answers by method and path: a body, or a failure to throw. */
export type Answers = Record<string, (body?: unknown) => unknown>;

export const nadia = { id: 7, name: 'Nadia Rahman', email: 'nadia@example.com' };

/** Answers to the page's requests. Requests without one stay pending, as on a stalled link. */
export const answers: Answers = {};

/** Replaces src/api/client.ts. */
function fakeClient() {
  const ask = (method: string) => async (path: string, body?: unknown) => {
    const answer = answers[`${method} ${path}`];
    return answer === undefined ? new Promise(() => {}) : { body: await answer(body) };
  };
  return { get: ask('GET'), post: ask('POST') };
}

/** A validation failure: 422 with messages per field. */
export async function refuse(errors: Record<string, readonly string[]>) {
  const { ApiFailure } = await import('../../src/api/failure.ts');
  return () => {
    throw new ApiFailure('invalid', 'The given data was invalid.', errors);
  };
}

interface Arrival {
  /** Whether a session is stored, or only its token. */
  readonly signedIn?: boolean | 'token-only';
}

/** Opens a new page at an address, with new modules and the fake server, but without the app. Leaves the page before. */
function openPage(address: string, { signedIn = true }: Arrival = {}): void {
  leavePage();
  localStorage.clear();
  for (const key of Object.keys(answers)) delete answers[key];
  if (signedIn !== false) localStorage.setItem('access_token', 'token-1');
  if (signedIn === true) localStorage.setItem('voltdesk.user', JSON.stringify(nadia));
  window.history.replaceState(null, '', address);
  wideScreen();
  vi.resetModules();
  vi.doMock('../../src/api/client.ts', fakeClient);
}

/** Opens a signed-in page without the app on a device on which nothing is stored. */
export function openPageOnNewDevice(): void {
  emptyStorage();
  openPage('/about');
}

/** Opens the app at an address in a new page. The device keeps its databases, but forgets its user. */
export async function openApp(address: string, arrival?: Arrival) {
  await outboxDatabase().meta.clear();
  openPage(address, arrival);
  const { App } = await import('../../src/app/app.tsx');
  return { user: userEvent.setup(), ...render(<App />) };
}

/** Makes the page wide, because jsdom has no layout. */
function wideScreen(): void {
  const matches = (query: string) => query.includes('min-width');
  window.matchMedia = (query) =>
    ({
      matches: matches(query),
      media: query,
      addEventListener() {},
      removeEventListener() {},
      addListener() {},
      removeListener() {},
    }) as unknown as MediaQueryList;
}
