import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiFailure } from '../../src/api/failure.ts';
import { followPresence } from '../../src/api/presence.ts';
import { type Beat, PRESENCE_BEAT, type Present } from '../../src/domain/protocol/presence.ts';
import { OthersHere } from '../../src/resource/edit/others-here.tsx';
import { useConnection } from '../../src/stores/connection.ts';
import { useServerAbilities } from '../../src/stores/server-abilities.ts';
import { useSession } from '../../src/stores/session.ts';
import { setUnsaved } from '../../src/stores/unsaved.ts';

const server = vi.hoisted(() => ({
  beats: [] as Beat[],
  present: [] as Present[],
  /** Pending answers, by the order of their requests. */
  late: new Map<number, Promise<Present[]>>(),
  failure: undefined as Error | undefined,
}));

vi.mock('../../src/api/request.ts', () => ({
  post: async (_path: string, beat: Beat) => {
    server.beats.push(beat);
    if (server.failure !== undefined) throw server.failure;
    return { body: { present: (await server.late.get(server.beats.length)) ?? server.present } };
  },
}));

const ANNA: Present = { name: 'Anna Kaya', isTyping: false };
const OMAR: Present = { name: 'Omar Faruk', isTyping: true };

const doings = () => server.beats.map(({ doing }) => doing);
const show = () => render(<OthersHere resource="generators" id={7} />);

function setHidden(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  server.beats = [];
  server.present = [];
  server.late.clear();
  server.failure = undefined;
  useServerAbilities.setState({ presence: true });
  useConnection.setState({ radio: true, answers: true });
  useSession.setState({ token: 'token-1' });
});
afterEach(() => {
  cleanup();
  setUnsaved('form', false);
  setHidden(false);
  vi.useRealTimers();
});

describe('an open record', () => {
  it.each<[string, readonly Present[]]>([
    ['Anna Kaya has this open', [ANNA]],
    ['Omar Faruk is editing this', [ANNA, OMAR]],
    ['Anna Kaya and Lea have this open', [ANNA, { ...ANNA, name: 'Lea' }]],
    ['Anna Kaya and 2 others have this open', [ANNA, { ...ANNA, name: 'Lea' }, { ...ANNA, name: 'Max' }]],
  ])('says that %s', async (words, present) => {
    server.present = [...present];
    show();
    expect((await screen.findByText(words)).title).toBe(words);
    expect(server.beats).toMatchObject([{ resource: 'generators', id: 7, doing: 'looking' }]);
  });

  it('asks repeatedly, and no longer shows who has left', async () => {
    server.present = [ANNA];
    show();
    await screen.findByText(/Anna/);
    server.present = [];
    await vi.advanceTimersByTimeAsync(PRESENCE_BEAT);
    await waitFor(() => expect(screen.queryByText(/Anna/)).toBeNull());
  });

  it('shows nobody while the server cannot be reached, and keeps asking', async () => {
    server.present = [ANNA];
    show();
    await screen.findByText(/Anna/);
    server.failure = new ApiFailure('unreachable', 'Can’t reach the server.');
    await vi.advanceTimersByTimeAsync(PRESENCE_BEAT);
    await waitFor(() => expect(screen.queryByText(/Anna/)).toBeNull());
    server.failure = undefined;
    await vi.advanceTimersByTimeAsync(PRESENCE_BEAT);
    expect(await screen.findByText('Anna Kaya has this open')).toBeDefined();
  });

  it('reports typing immediately', async () => {
    show();
    await waitFor(() => expect(doings()).toEqual(['looking']));
    setUnsaved('form', true);
    await waitFor(() => expect(doings()).toEqual(['looking', 'typing']));
  });

  it('shows the answer to the last request, not one that arrives after it', async () => {
    const first = Promise.withResolvers<Present[]>();
    server.late.set(1, first.promise);
    server.present = [OMAR];
    show();
    await waitFor(() => expect(doings()).toEqual(['looking']));
    setUnsaved('form', true);
    await screen.findByText('Omar Faruk is editing this');
    await act(async () => {
      first.resolve([ANNA]);
      await vi.advanceTimersByTimeAsync(50);
    });
    expect(screen.queryByText(/Anna/)).toBeNull();
  });

  it('reports typing only once the page is visible again', async () => {
    show();
    await waitFor(() => expect(doings()).toEqual(['looking']));
    setHidden(true);
    setUnsaved('form', true);
    await vi.advanceTimersByTimeAsync(50);
    expect(doings()).toEqual(['looking', 'left']);
    setHidden(false);
    await waitFor(() => expect(doings()).toEqual(['looking', 'left', 'typing']));
  });

  it('is left when it is closed or the page is hidden', async () => {
    const { unmount } = show();
    await waitFor(() => expect(doings()).toEqual(['looking']));
    setHidden(true);
    await waitFor(() => expect(doings()).toEqual(['looking', 'left']));
    await vi.advanceTimersByTimeAsync(3 * PRESENCE_BEAT);
    expect(doings()).toHaveLength(2);
    setHidden(false);
    await waitFor(() => expect(doings()).toEqual(['looking', 'left', 'looking']));
    unmount();
    await waitFor(() => expect(doings().at(-1)).toBe('left'));
  });

  it('reports nothing more after it was closed', async () => {
    const first = Promise.withResolvers<Present[]>();
    server.late.set(1, first.promise);
    const told = vi.fn<() => void>();
    followPresence({ resource: 'generators', id: 7 }, told).stop();
    first.resolve([ANNA]);
    await vi.advanceTimersByTimeAsync(50);
    expect(doings()).toEqual(['looking', 'left']);
    expect(told).not.toHaveBeenCalled();
  });

  it.each([
    ['the server does not support it', () => useServerAbilities.setState({ presence: false })],
    ['the server’s capabilities are still unknown', () => useServerAbilities.setState({}, true)],
    ['nobody is signed in', () => useSession.setState({ ended: false, signInAsked: false }, true)],
    ['there is no connection', () => useConnection.setState({ answers: false })],
  ])('sends no request where %s', async (_, happens) => {
    happens();
    show();
    await vi.advanceTimersByTimeAsync(2 * PRESENCE_BEAT);
    expect(server.beats).toEqual([]);
  });
});
