import { act, cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ErrorBoundary } from '../../src/app/error-boundary.tsx';
import { late } from '../../src/ui/late.tsx';

const reload = vi.fn();
const answers = vi.fn<(address: string, init: RequestInit) => Promise<Response>>();
const there = async () => new Response();
const away = () => Promise.reject(new TypeError('Failed to fetch'));

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 23) });
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.stubGlobal('location', { href: 'https://desk.test/partner-all', reload });
  vi.stubGlobal('fetch', answers);
  answers.mockImplementation(there);
});

afterEach(() => {
  cleanup();
  dispatchEvent(new Event('pageshow'));
  sessionStorage.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.clearAllMocks();
  vi.useRealTimers();
});

/** Shows a screen that fails with these words. */
async function fail(words: string): Promise<void> {
  const Screen = () => {
    throw new TypeError(words);
  };
  await act(async () => {
    render(
      <MemoryRouter>
        <ErrorBoundary occasion="/partner-all">
          <Screen />
        </ErrorBoundary>
      </MemoryRouter>,
    );
  });
}

const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000));

describe('a screen whose code could not be fetched', () => {
  const WORDS = [
    'Failed to fetch dynamically imported module: https://desk.test/assets/list.js',
    'error loading dynamically imported module: https://desk.test/assets/list.js',
    'Importing a module script failed.',
  ];

  it.each(WORDS)('is reloaded automatically if its server answers: %s', async (words) => {
    await fail(words);
    expect(screen.getByText('Part of the app isn’t on this device yet.')).toBeDefined();
    expect(reload).toHaveBeenCalledOnce();
    expect(answers).toHaveBeenCalledWith('https://desk.test/partner-all', {
      method: 'HEAD',
      cache: 'no-store',
      headers: { accept: 'text/html' },
    });
  });

  it('waits for its server, and is reloaded within five seconds of its return', async () => {
    answers.mockImplementation(away);
    await fail('Importing a module script failed.');
    await pass(60);
    answers.mockImplementation(async () => new Response(null, { status: 502 }));
    await pass(60);
    expect(reload).not.toHaveBeenCalled();
    answers.mockImplementation(there);
    await pass(5);
    expect(reload).toHaveBeenCalledOnce();
  });

  it('is reloaded at most once a minute if that does not help', async () => {
    await fail('Importing a module script failed.');
    await pass(59);
    cleanup();
    await fail('Importing a module script failed.');
    expect(reload).toHaveBeenCalledOnce();
    await pass(5);
    expect(reload).toHaveBeenCalledTimes(2);
  });

  it('is not reloaded if the tab cannot store anything, as that could loop forever', async () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    });
    await fail('Importing a module script failed.');
    await pass(120);
    expect(reload).not.toHaveBeenCalled();
  });

  it('is not reloaded after the user has moved on', async () => {
    const answer = Promise.withResolvers<Response>();
    answers.mockImplementation(() => answer.promise);
    await fail('Importing a module script failed.');
    cleanup();
    await act(async () => answer.resolve(new Response()));
    await pass(10);
    expect(reload).not.toHaveBeenCalled();
    expect(answers).toHaveBeenCalledOnce();
  });
});

describe('a page that is left while its screen is loading', () => {
  // Firefox aborts pending requests as soon as a navigation starts, and the page lives until the next one has answered.
  async function leaveAndFail(): Promise<void> {
    const code = Promise.withResolvers<{ default: () => null }>();
    const Screen = late(() => code.promise);
    const loaded = Screen.load();
    dispatchEvent(new Event('beforeunload'));
    code.reject(new TypeError('error loading dynamically imported module: https://desk.test/assets/list.js'));
    await expect(loaded).rejects.toThrow('error loading');
    await fail('error loading dynamically imported module: https://desk.test/assets/list.js');
  }

  it('is not reloaded during the navigation', async () => {
    await leaveAndFail();
    await pass(29);
    expect(answers).not.toHaveBeenCalled();
  });

  it('is reloaded once the navigation has been called off', async () => {
    await leaveAndFail();
    await pass(30);
    expect(reload).toHaveBeenCalledOnce();
  });

  it('is reloaded when it comes back', async () => {
    await leaveAndFail();
    dispatchEvent(new Event('pageshow'));
    await pass(5);
    expect(reload).toHaveBeenCalledOnce();
  });

  it('is not reloaded if the navigation starts while the server is being asked', async () => {
    const answer = Promise.withResolvers<Response>();
    answers.mockImplementationOnce(() => answer.promise);
    await fail('error loading dynamically imported module: https://desk.test/assets/list.js');
    const code = Promise.withResolvers<{ default: () => null }>();
    void late(() => code.promise).load();
    dispatchEvent(new Event('beforeunload'));
    code.resolve({ default: () => null });
    await act(async () => answer.resolve(new Response()));
    expect(reload).not.toHaveBeenCalled();
  });

  it.each([
    ['has loaded', async () => ({ default: () => null })],
    ['could not be fetched', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('ignores a later navigation once its code %s', async (_, load) => {
    await late(load)
      .load()
      .catch(() => {});
    dispatchEvent(new Event('beforeunload'));
    await fail('Importing a module script failed.');
    expect(reload).toHaveBeenCalledOnce();
  });
});

it('reports a screen with a fault of its own, and reloads it only on request', async () => {
  await fail('rows is undefined');
  expect(screen.getByText('Something went wrong.')).toBeDefined();
  expect(screen.getByText('What you saved is safe on this device.')).toBeDefined();
  await pass(120);
  expect(answers).not.toHaveBeenCalled();
  expect(reload).not.toHaveBeenCalled();
  screen.getByRole('button', { name: 'Retry' }).click();
  expect(reload).toHaveBeenCalledOnce();
});

it('shows the fallback of a failed part', () => {
  const Part = () => {
    throw new TypeError('rows is undefined');
  };
  render(
    <ErrorBoundary occasion="" fallback={<p>Instead</p>}>
      <Part />
    </ErrorBoundary>,
  );
  expect(screen.getByText('Instead')).toBeDefined();
  expect(screen.queryByRole('heading')).toBeNull();
});
