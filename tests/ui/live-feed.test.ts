import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FeedPage } from '../../src/domain/protocol/feed.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { answers, openPageOnNewDevice } from './page.tsx';

const partner = (id: number, name = 'Delta') => ({ id, name, link: null, image: null, version: `v-${name}` });

function page(cursor: string, parts: Partial<FeedPage> = {}): FeedPage {
  return { cursor, more: false, changed: {}, deleted: {}, ...parts };
}

interface Connection {
  readonly since: string | null;
  readonly isOver: () => boolean;
  send(text: string): void;
  end(): void;
}

/** The server's end of the connections of this page, in the order they were made. */
function acceptConnections(status = 200): Connection[] {
  const connections: Connection[] = [];
  vi.stubGlobal('fetch', async (_path: string, { headers, signal }: RequestInit) => {
    let controller: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({
      start(opened) {
        controller = opened;
      },
    });
    signal?.addEventListener('abort', () => controller.error(new DOMException('Cut', 'AbortError')));
    connections.push({
      since: new Headers(headers).get('Last-Event-ID'),
      isOver: () => signal?.aborted ?? false,
      send: (text) => controller.enqueue(new TextEncoder().encode(text)),
      end: () => controller.close(),
    });
    return new Response(body, { status, headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } });
  });
  return connections;
}

const changes = (since: string, told: FeedPage) =>
  `id: ${told.cursor}\nevent: changes\ndata: ${JSON.stringify({ since, page: told })}\n\n`;

function setHidden(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

/** A page that is connected. */
async function connected(status?: number) {
  const connections = acceptConnections(status);
  answers['GET /api/capabilities'] = () => ({ server: 'voltdesk', feed: true });
  answers['GET /api/feed'] = () => page('a.1', { snapshot: true, changed: { partners: [partner(1)] } });
  answers['GET /api/feed?since=a.1'] = () => page('a.1');
  const { warmDevice } = await import('../../src/api/prefetch.ts');
  await warmDevice();
  const { adoptTaken, listCopy } = await import('../../src/api/sources.ts');
  const { stayUpToDate } = await import('../../src/api/live-feed.ts');
  const copy = listCopy(partners);
  await copy.load();
  stayUpToDate(adoptTaken);
  await expect.poll(() => connections.length).toBe(1);
  return { connections, names: () => copy.state().value?.map((row) => row['name']) };
}

/** Ends a connection. Resolves when this page has noticed: it requests the user then, and learns of another role. */
async function endAndNotice(connection: Connection | undefined): Promise<void> {
  const { useSession } = await import('../../src/stores/session.ts');
  const { user } = useSession.getState();
  const role = user?.role === 'viewer' ? 'editor' : 'viewer';
  answers['GET /api/user'] = () => ({ ...user, role });
  connection?.end();
  // not the request alone: pages of earlier tests may ask as well
  await expect.poll(() => useSession.getState().user?.role).toBe(role);
}

beforeEach(openPageOnNewDevice);
afterEach(async () => {
  // Ends this page: with a session it would read the feed alongside the next test's page, and take its answers.
  const { closeSession } = await import('../../src/stores/session.ts');
  closeSession();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  setHidden(false);
});

describe('a page that is connected', () => {
  it('shows someone else’s changes without a request', async () => {
    const { connections, names } = await connected();
    expect(connections[0]?.since).toBe('a.1');
    connections[0]?.send(changes('a.1', page('a.2', { changed: { partners: [partner(1, 'New')] } })));
    await expect.poll(names).toEqual(['New']);
    connections[0]?.send(changes('a.2', page('a.3', { changed: { partners: [partner(2, 'Next')] } })));
    await expect.poll(names).toEqual(['New', 'Next']);
  });

  it.each([
    ['the server says that it is behind', 'event: behind\ndata: {}\n\n'],
    ['a change does not follow on what it has', changes('a.7', page('a.8'))],
  ])('requests the feed where %s', async (_, text) => {
    const { connections, names } = await connected();
    answers['GET /api/feed?since=a.1'] = () => page('a.9', { changed: { partners: [partner(1, 'Asked')] } });
    connections[0]?.send(text);
    await expect.poll(names).toEqual(['Asked']);
  });

  it('ends a connection whose event cannot be applied', async () => {
    const { connections } = await connected();
    answers['GET /api/feed?since=a.1'] = () => {
      throw new TypeError('The feed cannot be read.');
    };
    connections[0]?.send('event: behind\ndata: {}\n\n');
    await expect.poll(() => connections[0]?.isOver()).toBe(true);
  });

  it('requests nothing for changes that the device already has', async () => {
    const { connections, names } = await connected();
    const asked = vi.fn(() => page('a.1'));
    answers['GET /api/feed?since=a.1'] = asked;
    connections[0]?.send(changes('a.0', page('a.1')));
    connections[0]?.send(changes('a.1', page('a.2', { changed: { partners: [partner(1, 'New')] } })));
    await expect.poll(names).toEqual(['New']);
    expect(asked).not.toHaveBeenCalled();
  });

  it('reconnects as soon as the connection is back', async () => {
    const { connections } = await connected();
    const { noteAnswer } = await import('../../src/stores/connection.ts');
    noteAnswer(false);
    noteAnswer(true);
    expect(connections[0]?.isOver()).toBe(true);
    await expect.poll(() => connections.length).toBe(2);
  });

  it('requests the user again when the server ends the connection, as the role may have changed', async () => {
    const { connections } = await connected();
    const { useSession } = await import('../../src/stores/session.ts');
    const user = useSession.getState().user;
    answers['GET /api/user'] = () => ({ ...user, role: 'viewer' });
    connections[0]?.end();
    await expect.poll(() => useSession.getState().user?.role).toBe('viewer');
  });

  it('stays connected only while the server sends signs of life', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const { connections } = await connected();
    for (let sign = 0; sign < 4; sign += 1) {
      await vi.advanceTimersByTimeAsync(20_000);
      connections[0]?.send(': alive\n\n');
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(connections[0]?.isOver()).toBe(false);
    await vi.advanceTimersByTimeAsync(51_000);
    expect(connections[0]?.isOver()).toBe(true);
  });

  it('requests the feed when an intermediary holds back even the start of the answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
    const { connections, names } = await connected();
    const heldBack = vi.fn(
      (_path: string, { signal }: RequestInit) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
    );
    vi.stubGlobal('fetch', heldBack);
    await vi.advanceTimersByTimeAsync(11_000);
    await endAndNotice(connections[0]);
    await vi.advanceTimersByTimeAsync(4_500);
    await expect.poll(() => heldBack).toHaveBeenCalled();
    answers['GET /api/feed?since=a.1'] = () => page('a.2', { changed: { partners: [partner(1, 'Asked')] } });
    await vi.advanceTimersByTimeAsync(51_000);
    await vi.advanceTimersByTimeAsync(4_500);
    await expect.poll(names).toEqual(['Asked']);
  });

  it('does not mark lists as fresh from pushed changes, as earlier ones may still be on their way', async () => {
    const { connections, names } = await connected();
    const { listCopy } = await import('../../src/api/sources.ts');
    const before = listCopy(partners).state().fetchedAt ?? 0;
    await expect.poll(() => Date.now()).toBeGreaterThan(before);
    connections[0]?.send(changes('a.1', page('a.2', { changed: { partners: [partner(1, 'New')] } })));
    await expect.poll(names).toEqual(['New']);
    expect(listCopy(partners).state().fetchedAt).toBe(before);
  });

  it('disconnects while hidden, and continues from the same cursor', async () => {
    const { connections, names } = await connected();
    connections[0]?.send(changes('a.1', page('a.2', { changed: { partners: [partner(1, 'New')] } })));
    await expect.poll(names).toEqual(['New']);
    setHidden(true);
    expect(connections[0]?.isOver()).toBe(true);
    answers['GET /api/feed?since=a.2'] = () => page('a.2');
    setHidden(false);
    await expect.poll(() => connections[1]?.since).toBe('a.2');
  });

  it('disconnects when the session ends', async () => {
    const { connections } = await connected();
    const { closeSession } = await import('../../src/stores/session.ts');
    closeSession();
    expect(connections[0]?.isOver()).toBe(true);
  });

  it('disconnects when the server has ended the session, though its screens stay', async () => {
    const { connections } = await connected();
    const { endSession, useSession } = await import('../../src/stores/session.ts');
    endSession(useSession.getState().token);
    expect(connections[0]?.isOver()).toBe(true);
  });

  it('releases a refusal that is still open, as it would occupy one of the browser’s connections', async () => {
    const { connections } = await connected(429);
    await expect.poll(() => connections[0]?.isOver()).toBe(true);
  });

  it('reconnects soon after a long connection, but not after one that ended immediately', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
    const { connections } = await connected();
    await vi.advanceTimersByTimeAsync(11_000);
    await endAndNotice(connections[0]);
    await vi.advanceTimersByTimeAsync(4_500);
    await expect.poll(() => connections.length).toBe(2);
    await endAndNotice(connections[1]);
    await vi.advanceTimersByTimeAsync(4_500);
    await vi.advanceTimersByTimeAsync(4_500);
    expect(connections).toHaveLength(2);
  });

  it('requests the feed once a minute while it cannot connect', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const { connections, names } = await connected();
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await endAndNotice(connections[0]);
    answers['GET /api/feed?since=a.1'] = () => page('a.2', { changed: { partners: [partner(1, 'Asked')] } });
    await vi.advanceTimersByTimeAsync(61_000);
    await expect.poll(names).toEqual(['Asked']);
  });
});

describe('after the cache was evicted to make room for a save', () => {
  it('begins the feed again with the next change, so that lists do not grow old', async () => {
    const { connections, names } = await connected();
    const { browserEnvironment } = await import('../../src/offline/storage/browser-environment.ts');
    const { clearCache } = await import('../../src/offline/storage/cache-database.ts');
    await clearCache(browserEnvironment().cache);
    answers['GET /api/feed'] = () =>
      page('a.2', { snapshot: true, changed: { partners: [partner(1), partner(2, 'Sigma')] } });
    connections[0]?.send(changes('a.1', page('a.2', { changed: { partners: [partner(2, 'Sigma')] } })));
    await expect.poll(names).toEqual(['Delta', 'Sigma']);
  });
});
