import 'fake-indexeddb/auto';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { ApiFailure } from '../../src/api/failure.ts';
import { useConnection } from '../../src/stores/connection.ts';
import { useNotifications } from '../../src/stores/notifications.ts';
import { useSession } from '../../src/stores/session.ts';
import { ConfirmHost } from '../../src/ui/confirm.tsx';
import { soon } from '../harness/soon.ts';

/** Shows one screen with a fake server. Its answers are set by method and path, and its requests are recorded. */

const server = vi.hoisted(() => ({
  answers: {} as Record<string, unknown>,
  asked: [] as (readonly [string, unknown])[],
}));

vi.mock('../../src/api/client.ts', () => {
  const ask = (method: string) => async (path: string, body?: unknown) => {
    const call = `${method} ${path}`;
    server.asked.push([call, body]);
    const found = server.answers[call];
    if (found === undefined) return new Promise(() => {});
    if (found instanceof Error) throw found;
    return { body: await found };
  };
  return { get: ask('GET'), post: ask('POST') };
});

beforeEach(() => {
  server.answers = {};
  server.asked = [];
  localStorage.clear();
  localStorage.setItem('access_token', 'token-1');
  useConnection.setState({ radio: true, answers: true, portal: false });
  useSession.setState({ user: NADIA, token: 'token-1', ended: false, signInAsked: false }, true);
  useNotifications.getState().take();
});

afterEach(async () => {
  cleanup();
  vi.restoreAllMocks();
  await vi.dynamicImportSettled();
});

export const NADIA = { id: 7, name: 'Nadia Rahman', email: 'nadia@example.com', role: 'owner' } as const;

/** Sets the server's answer. A failure is thrown. Calls without an answer stay pending. */
export function answer(call: string, answered: unknown): void {
  server.answers[call] = answered;
}

export const refusal = (errors: Record<string, readonly string[]> = {}, message = 'The given data was invalid.') =>
  new ApiFailure('invalid', message, errors);
export const unreachable = () => new ApiFailure('unreachable', 'Can’t reach the server.');

/** The bodies sent by a call, in order. */
export const sent = (call: string) => server.asked.filter(([asked]) => asked === call).map(([, body]) => body);

/** Shows one screen at an address. Any other address shows its own path. */
export function show(
  element: ReactNode,
  address: string | { pathname: string; search?: string; hash?: string; state?: unknown } = '/here',
) {
  const path = typeof address === 'string' ? address : address.pathname;
  return render(
    <MemoryRouter initialEntries={[address]}>
      <Routes>
        <Route path={path} element={element} />
        <Route path="*" element={<Elsewhere />} />
      </Routes>
      <ConfirmHost />
    </MemoryRouter>,
  );
}

function Elsewhere() {
  const { pathname, state } = useLocation();
  return <p>{`went to ${pathname} with ${JSON.stringify(state)}`}</p>;
}

export const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));

/** Answers the open question. Returns its text. */
export async function answerQuestion(title: string, label: string): Promise<string> {
  const dialog = await screen.findByRole('alertdialog', { name: title });
  const words = dialog.textContent;
  await userEvent.click([...dialog.querySelectorAll('button')].find((one) => one.textContent === label) ?? dialog);
  await soon(() => expect(dialog.isConnected).toBe(false));
  return words;
}

/** The toasts since the last call. */
export function toasts(): readonly string[] {
  return useNotifications
    .getState()
    .take()
    .map(({ kind, message }) => `${kind}: ${message}`);
}

/** Waits for these toasts. */
export async function told(...expected: readonly string[]): Promise<void> {
  const seen: string[] = [];
  await soon(() => {
    seen.push(...toasts());
    expect(seen).toEqual(expected);
  });
}
