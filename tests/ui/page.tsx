import 'fake-indexeddb/auto';
import { cleanup, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, vi } from 'vitest';
import { outboxDatabase } from '../../src/offline/storage/outbox-database.ts';

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

/** Opens the app at an address in a new page. `signedIn` first stores a session, or only its token. */
export async function openApp(address: string, { signedIn = true }: { signedIn?: boolean | 'token-only' } = {}) {
  localStorage.clear();
  // Forgets the user of an earlier page in the same test file.
  await outboxDatabase().meta.clear();
  for (const key of Object.keys(answers)) delete answers[key];
  if (signedIn !== false) localStorage.setItem('access_token', 'token-1');
  if (signedIn === true) localStorage.setItem('voltdesk.user', JSON.stringify(nadia));
  window.history.replaceState(null, '', address);
  wideScreen();
  vi.resetModules();
  vi.doMock('../../src/api/client.ts', fakeClient);
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
