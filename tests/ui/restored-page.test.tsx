import { act, cleanup, render, screen } from '@testing-library/react';
import { lazy, Suspense } from 'react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { guardedHistory } from '../../src/app/history.ts';
import { GuardedRouter } from '../../src/app/router.tsx';

const reload = vi.fn();
const answers = vi.fn(async () => new Response());
let code: PromiseWithResolvers<{ default: () => React.JSX.Element }>;
let history: ReturnType<typeof guardedHistory>;
let guard: AbortController;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 23) });
  window.history.replaceState(null, '', '/partner-create');
  guard = new AbortController();
  history = guardedHistory(() => true, guard.signal);
  code = Promise.withResolvers();
  vi.stubGlobal('fetch', answers);
});

afterEach(() => {
  cleanup();
  guard.abort();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
  vi.unstubAllGlobals();
  vi.clearAllMocks();
  vi.useRealTimers();
});

/** Shows a form, then navigates to a list whose code is still loading. */
async function goOn(): Promise<void> {
  const List = lazy(() => code.promise);
  render(
    <Suspense fallback="waiting">
      <GuardedRouter history={history}>
        <Routes>
          <Route path="/partner-create" element={<p>New Partner</p>} />
          <Route path="/partner-all" element={<List />} />
        </Routes>
      </GuardedRouter>
    </Suspense>,
  );
  await act(async () => history.push('/partner-all'));
  expect(screen.getByText('New Partner')).toBeDefined();
  vi.stubGlobal('location', { href: 'https://desk.test/partner-all', reload });
}

const codeArrives = () => act(async () => code.resolve({ default: () => <p>Partners</p> }));
const restore = (persisted = true) =>
  act(async () => void dispatchEvent(new PageTransitionEvent('pageshow', { persisted })));
const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000));

test('reloads a restored page whose next screen does not load within five seconds', async () => {
  await goOn();
  await restore();
  await pass(4.9);
  expect(answers).not.toHaveBeenCalled();
  await pass(0.1);
  expect(reload).toHaveBeenCalledOnce();
});

test('keeps a restored page whose next screen loads', async () => {
  await goOn();
  await restore();
  await pass(4.9);
  await codeArrives();
  expect(screen.getByText('Partners')).toBeDefined();
  await pass(120);
  expect(answers).not.toHaveBeenCalled();
});

test('keeps a page restored twice once its screen has loaded', async () => {
  await goOn();
  await restore();
  await pass(2);
  await restore();
  await codeArrives();
  await pass(120);
  expect(answers).not.toHaveBeenCalled();
});

test('stops waiting for an unreachable server once the screen loads after all', async () => {
  answers.mockImplementation(() => Promise.reject(new TypeError('Failed to fetch')));
  await goOn();
  await restore();
  await pass(5);
  expect(answers).toHaveBeenCalledOnce();
  await codeArrives();
  answers.mockImplementation(async () => new Response());
  await pass(120);
  expect(answers).toHaveBeenCalledOnce();
  expect(reload).not.toHaveBeenCalled();
});

test('a restored page that shows the screen of its address stays', async () => {
  await goOn();
  await codeArrives();
  await restore();
  await pass(120);
  expect(answers).not.toHaveBeenCalled();
});

test('waits for the screen of a freshly loaded page however long it takes', async () => {
  await goOn();
  await restore(false);
  await pass(120);
  expect(answers).not.toHaveBeenCalled();
});
