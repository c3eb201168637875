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

  it.each(WORDS)('is loaded anew without a press where its server is there: %s', async (words) => {
    await fail(words);
    expect(screen.getByText('Part of the app isn’t on this device yet.')).toBeDefined();
    expect(reload).toHaveBeenCalledOnce();
    expect(answers).toHaveBeenCalledWith('https://desk.test/partner-all', {
      method: 'HEAD',
      cache: 'no-store',
      headers: { accept: 'text/html' },
    });
  });

  it('waits for its server, and is loaded anew within five seconds of its return', async () => {
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

  it('is loaded anew once a minute at most, where that brings nothing', async () => {
    await fail('Importing a module script failed.');
    await pass(59);
    cleanup();
    await fail('Importing a module script failed.');
    expect(reload).toHaveBeenCalledOnce();
    await pass(5);
    expect(reload).toHaveBeenCalledTimes(2);
  });

  it('is left as it stands where the tab can keep nothing: it might load itself anew for ever', async () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    });
    await fail('Importing a module script failed.');
    await pass(120);
    expect(reload).not.toHaveBeenCalled();
  });

  it('is not loaded anew once somebody has gone on to another', async () => {
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

describe('a page that is left while its screen is on the way', () => {
  // Firefox fails what is on its way as soon as the page is being left, and the page lives until the next one has answered.
  async function leaveAndFail(): Promise<void> {
    const code = Promise.withResolvers<{ default: () => null }>();
    const Screen = late(() => code.promise);
    const loaded = Screen.load();
    dispatchEvent(new Event('beforeunload'));
    code.reject(new TypeError('error loading dynamically imported module: https://desk.test/assets/list.js'));
    await expect(loaded).rejects.toThrow('error loading');
    await fail('error loading dynamically imported module: https://desk.test/assets/list.js');
  }

  it('goes where it was led to: it is not loaded anew meanwhile', async () => {
    await leaveAndFail();
    await pass(29);
    expect(answers).not.toHaveBeenCalled();
  });

  it('is loaded anew once the way out has been called off', async () => {
    await leaveAndFail();
    await pass(30);
    expect(reload).toHaveBeenCalledOnce();
  });

  it('is loaded anew when it comes back', async () => {
    await leaveAndFail();
    dispatchEvent(new Event('pageshow'));
    await pass(5);
    expect(reload).toHaveBeenCalledOnce();
  });

  it('is left where that begins while the server is asked', async () => {
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
    ['has come', async () => ({ default: () => null })],
    ['could not be fetched', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('knows no later way out, once its code %s', async (_, load) => {
    await late(load)
      .load()
      .catch(() => {});
    dispatchEvent(new Event('beforeunload'));
    await fail('Importing a module script failed.');
    expect(reload).toHaveBeenCalledOnce();
  });
});

it('a screen with a fault of its own says so, and is loaded anew by a press alone', async () => {
  await fail('rows is undefined');
  expect(screen.getByText('Something went wrong.')).toBeDefined();
  expect(screen.getByText('What you saved is safe on this device.')).toBeDefined();
  await pass(120);
  expect(answers).not.toHaveBeenCalled();
  expect(reload).not.toHaveBeenCalled();
  screen.getByRole('button', { name: 'Retry' }).click();
  expect(reload).toHaveBeenCalledOnce();
});

it('a part that failed leaves what is to stand in its place', () => {
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
