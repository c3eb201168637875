import { describe, expect, test } from 'vitest';
import type { Environment } from '../../src/offline/storage/environment.ts';
import { askToPersist, persistence, requestPersistence } from '../../src/offline/storage/persistence.ts';
import { contractOnlyBackend } from './support/backends.ts';
import { Device } from './support/device.ts';

const says = (answer: boolean) => async () => answer;
const fails = () => Promise.reject(new TypeError('Not here.'));

/** A browser with these answers about persistent storage, and the questions that it gets. */
function browser(room: Partial<Record<'persisted' | 'persist', () => Promise<boolean>>>) {
  const asked: string[] = [];
  const heard = (name: 'persisted' | 'persist') => {
    const answer = room[name];
    if (answer === undefined) return {};
    return {
      [name]: () => {
        asked.push(name);
        return answer();
      },
    };
  };
  const environment = new Device(contractOnlyBackend()).environment({
    room: { ...heard('persisted'), ...heard('persist') } as NonNullable<Environment['room']>,
  });
  return { environment, asked };
}

describe('persistent storage', () => {
  test.each<[string, Parameters<typeof browser>[0], string]>([
    ['is granted when the browser says so', { persisted: says(true) }, 'granted'],
    ['is refused when the browser says so', { persisted: says(false) }, 'refused'],
    ['is unknown when the browser has no such question', {}, 'unknown'],
    ['is unknown when the question fails', { persisted: fails }, 'unknown'],
  ])('%s', async (_what, room, answer) => {
    expect(await persistence(browser(room).environment)).toBe(answer);
  });

  test('is unknown without storage methods', async () => {
    expect(await persistence(new Device(contractOnlyBackend()).environment())).toBe('unknown');
  });
});

describe('a request for persistent storage', () => {
  test.each<[string, boolean, string]>([
    ['is granted', true, 'granted'],
    ['is refused', false, 'refused'],
  ])('%s', async (_what, answer, told) => {
    const { environment, asked } = browser({ persisted: says(false), persist: says(answer) });
    expect(await requestPersistence(environment)).toBe(told);
    expect(asked).toEqual(['persisted', 'persist']);
  });

  test('is skipped when it was granted before, so that nobody is asked', async () => {
    const { environment, asked } = browser({ persisted: says(true), persist: says(false) });
    expect(await requestPersistence(environment)).toBe('granted');
    expect(asked).toEqual(['persisted']);
  });

  test('is made once for all saves of a page, and its failure is ignored', async () => {
    const { environment, asked } = browser({ persisted: says(false), persist: fails });
    askToPersist(environment);
    askToPersist(environment);
    await expect.poll(() => asked).toEqual(['persisted', 'persist']);
    askToPersist(environment);
    expect(await persistence(environment)).toBe('refused');
    expect(asked).toEqual(['persisted', 'persist', 'persisted']);
  });
});
