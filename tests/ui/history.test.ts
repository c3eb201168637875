import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GuardedHistory, guardedHistory } from '../../src/app/history.ts';

/** The browser's own back: jsdom carries it out a turn later. */
async function back(): Promise<void> {
  window.history.back();
  await settled();
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve, 5));
}

let answer: boolean | Promise<boolean> = true;
let asked: string[] = [];
let history: GuardedHistory;
let stop: AbortController;

beforeEach(() => {
  answer = true;
  asked = [];
  stop = new AbortController();
  window.history.replaceState(null, '', '/generator-create');
  history = guardedHistory((to) => {
    asked.push(to);
    return answer;
  }, stop.signal);
});

afterEach(() => stop.abort());

const path = () => `${window.location.pathname}${window.location.search}`;

describe('the guarded history', () => {
  it('navigates immediately if nothing blocks it', () => {
    history.push('/generator-all', { from: 'form' });
    expect(path()).toBe('/generator-all');
    expect(history.place().location).toMatchObject({ pathname: '/generator-all', state: { from: 'form' } });
  });

  it('notifies a subscriber of each step until it unsubscribes', () => {
    const places: string[] = [];
    const stopTelling = history.subscribe(() => places.push(path()));
    history.push('/generator-all');
    stopTelling();
    history.push('/outbox');
    expect(places).toEqual(['/generator-all']);
  });

  it('stays when leaving is refused', () => {
    answer = false;
    history.push('/generator-all');
    expect(path()).toBe('/generator-create');
  });

  it.each([
    [true, '/generator-all'],
    [false, '/generator-create'],
  ])('waits for the answer before it navigates: %s', async (yes, there) => {
    const question = Promise.withResolvers<boolean>();
    answer = question.promise;
    history.push('/generator-all');
    expect(path()).toBe('/generator-create');
    question.resolve(yes);
    await settled();
    expect(path()).toBe(there);
  });

  it('does not ask for another place on the same page', () => {
    answer = false;
    history.push('/generator-create#photos');
    expect(window.location.hash).toBe('#photos');
    expect(asked).toEqual([]);
  });

  it('asks when only the search changes, as that opens another form', async () => {
    answer = false;
    history.push('/generator-create?from=12');
    expect(path()).toBe('/generator-create');
    expect(asked).toEqual(['/generator-create?from=12']);

    answer = true;
    history.push('/generator-create?from=12');
    expect(path()).toBe('/generator-create?from=12');
    answer = false;
    await back();
    expect(path()).toBe('/generator-create?from=12');
  });

  it('does not ask when the current page only gets another address', () => {
    history.push('/generator-edit/local-1?from=12');
    asked = [];
    answer = false;
    history.replace('/generator-edit/12', { samePage: true });
    expect(path()).toBe('/generator-edit/12');
    expect(asked).toEqual([]);
  });

  it('undoes the browser’s back button while the question is open, and repeats it after a yes', async () => {
    history.push('/generator-all');
    const question = Promise.withResolvers<boolean>();
    answer = question.promise;
    await back();
    expect(path()).toBe('/generator-all');
    expect(history.place().location.pathname).toBe('/generator-all');
    answer = true;
    question.resolve(true);
    await settled();
    expect(path()).toBe('/generator-create');
    expect(history.place().location.pathname).toBe('/generator-create');
  });

  it('stays on the page after a no to the back button', async () => {
    history.push('/generator-all');
    answer = false;
    await back();
    expect(path()).toBe('/generator-all');
  });

  it('undoes as many steps as were taken, and repeats them after a yes', async () => {
    history.push('/generator-all');
    history.push('/outbox');
    const question = Promise.withResolvers<boolean>();
    answer = question.promise;
    window.history.go(-2);
    await settled();
    expect(path()).toBe('/outbox');
    answer = true;
    question.resolve(true);
    await settled();
    expect(path()).toBe('/generator-create');
  });

  it('counts no step for an address that was replaced', async () => {
    history.push('/generator-all');
    history.replace('/generator-all?page=2');
    expect(history.place().action).toBe('REPLACE');
    answer = false;
    await back();
    expect(path()).toBe('/generator-all?page=2');
    answer = true;
    await back();
    expect(path()).toBe('/generator-create');
    expect(history.place().action).toBe('POP');
  });

  it('reads the whole address, and applies a search alone to the current page', () => {
    history.push('/generator-all#rows');
    expect(history.place().location.hash).toBe('#rows');
    history.push({ search: '?page=2' });
    expect(path()).toBe('/generator-all?page=2');
    expect(history.place().action).toBe('PUSH');
  });

  it('makes the address of a link from all its parts', () => {
    expect(history.createHref({ pathname: '/generator-all', search: '?page=2', hash: '#rows' })).toBe(
      '/generator-all?page=2#rows',
    );
    expect(history.createHref('/outbox')).toBe('/outbox');
  });
});
