import 'fake-indexeddb/auto';
import { cleanup, configure, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, vi } from 'vitest';
import { outboxDatabase } from '../../src/offline/storage/outbox-database.ts';

// Screens are loaded when they are opened: the first one takes a while on a busy machine.
configure({ asyncUtilTimeout: 10_000 });
afterEach(async () => {
  cleanup();
  // What a page is still loading would be asked for after the file's end, when there is nothing left to load from.
  await vi.dynamicImportSettled();
});

/** What the fake server answers: a body, or a failure to throw. By method and path. */
export type Answers = Record<string, (body?: unknown) => unknown>;

export const nadia = { id: 7, name: 'Nadia Rahman', email: 'nadia@example.com' };

/** The server's side of the page's requests. What is not named here is never answered, as on a stalled link. */
export const answers: Answers = {};

/** Stands in for src/api/client.ts. */
function fakeClient() {
  const ask = (method: string) => async (path: string, body?: unknown) => {
    const answer = answers[`${method} ${path}`];
    return answer === undefined ? new Promise(() => {}) : { body: await answer(body) };
  };
  return { get: ask('GET'), post: ask('POST') };
}

/** An answer that is a refusal: 422 with texts per field. */
export async function refuse(errors: Record<string, readonly string[]>) {
  const { ApiFailure } = await import('../../src/api/failure.ts');
  return () => {
    throw new ApiFailure('invalid', 'The given data was invalid.', errors);
  };
}

/** Opens the app at an address, as a fresh page of the browser. `signedIn` stores a session beforehand, or its token alone. */
export async function openApp(address: string, { signedIn = true }: { signedIn?: boolean | 'token-only' } = {}) {
  localStorage.clear();
  // who was signed in on an earlier page of the same test file is not the one of this
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

/** jsdom lays nothing out: the page is told that it is wide. */
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
