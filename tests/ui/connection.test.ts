import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handoverFinished, noteUpdate } from '../../src/stores/app-update.ts';
import {
  followRadio,
  isOnline,
  isUnsure,
  lastHeard,
  noteAnswer,
  onAnswer,
  onReturn,
  useConnection,
} from '../../src/stores/connection.ts';

const NOW = Date.UTC(2026, 10, 23);
let stopRadio = () => {};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  useConnection.setState({ radio: true, answers: undefined, portal: false });
  stopRadio = followRadio();
});
afterEach(() => {
  stopRadio();
  vi.useRealTimers();
});

const radio = (on: boolean) => window.dispatchEvent(new Event(on ? 'online' : 'offline'));
const state = () => useConnection.getState();
const said = () => [isOnline(state()), isUnsure(state())];

test('allows requests while the server’s state is unknown, without claiming to be online', () => {
  expect(said()).toEqual([true, true]);
  noteAnswer(true);
  expect(said()).toEqual([true, false]);
  noteAnswer(false);
  expect(said()).toEqual([false, false]);
});

test('requests nothing offline, and forgets the last answer after `online`', () => {
  noteAnswer(false, true);
  radio(false);
  expect(said()).toEqual([false, false]);
  radio(true);
  expect(state()).toEqual({ radio: true, answers: undefined, portal: false });
  stopRadio();
  radio(false);
  expect(state().radio).toBe(true);
});

test('`offline` keeps the last answer', () => {
  noteAnswer(true);
  radio(false);
  expect(state()).toMatchObject({ radio: false, answers: true });
});

test('counts as connected after an answer, whatever the browser says', () => {
  radio(false);
  noteAnswer(false);
  expect(said()).toEqual([false, false]);
  noteAnswer(true);
  expect(said()).toEqual([true, false]);
});

test('asks the browser for the connection when a page returns with Back, as it missed the events', () => {
  const comesBack = (onLine: boolean, persisted = true) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(onLine);
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted }));
  };
  noteAnswer(true);
  comesBack(false, false);
  expect(said()).toEqual([true, false]);
  comesBack(false);
  expect(said()).toEqual([false, false]);
  comesBack(true);
  expect(said()).toEqual([true, true]);
  stopRadio();
  comesBack(false);
  expect(said()).toEqual([true, true]);
  vi.restoreAllMocks();
});

test('a captive portal is remembered until the next result', () => {
  noteAnswer(false, true);
  expect(state().portal).toBe(true);
  noteAnswer(false);
  expect(state().portal).toBe(false);
  noteAnswer(false, true);
  noteAnswer(true);
  expect(state()).toMatchObject({ answers: true, portal: false });
});

test('listeners hear of every answer, and of no failure', () => {
  const told = vi.fn();
  const stop = onAnswer(told);
  noteAnswer(true);
  noteAnswer(true);
  noteAnswer(false);
  expect(told).toHaveBeenCalledTimes(2);
  stop();
  noteAnswer(true);
  expect(told).toHaveBeenCalledTimes(2);
});

test('the time of the last result is noted for answers and failures', () => {
  noteAnswer(true);
  expect(lastHeard()).toBe(NOW);
  vi.setSystemTime(NOW + 5000);
  noteAnswer(false);
  expect(lastHeard()).toBe(NOW + 5000);
});

test('a return is reported after the server or the network was gone, and only then', () => {
  const back = vi.fn();
  const stop = onReturn(back);
  noteAnswer(true);
  expect(back).not.toHaveBeenCalled();
  noteAnswer(false);
  noteAnswer(true);
  expect(back).toHaveBeenCalledTimes(1);
  radio(false);
  radio(true);
  expect(back).toHaveBeenCalledTimes(2);
  stop();
  noteAnswer(false);
  noteAnswer(true);
  expect(back).toHaveBeenCalledTimes(2);
});

test('ignores network events once they are no longer followed', () => {
  radio(false);
  stopRadio();
  radio(true);
  expect(state().radio).toBe(false);
  stopRadio = followRadio();
  radio(true);
  stopRadio();
  radio(false);
  expect(state().radio).toBe(true);
});

test('requests wait for a worker handover, and for no other update state', async () => {
  const order: string[] = [];
  noteUpdate('waiting');
  await handoverFinished();
  noteUpdate('taking');
  const asked = handoverFinished().then(() => order.push('asked'));
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(order).toEqual([]);
  noteUpdate('taken');
  await asked;
  expect(order).toEqual(['asked']);
  noteUpdate('none');
});
