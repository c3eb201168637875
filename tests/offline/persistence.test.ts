import { describe, expect, test } from 'vitest';
import type { Environment } from '../../src/offline/storage/environment.ts';
import { askToPersist, persistence, requestPersistence } from '../../src/offline/storage/persistence.ts';
import { contractOnlyBackend } from './support/backends.ts';
import { Device } from './support/device.ts';

const says = (answer: boolean) => async () => answer;
const fails = () => Promise.reject(new TypeError('Not here.'));

/** A browser that promises to keep what is saved, or does when it is asked, and what it is asked. */
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

describe('whether a browser keeps what is saved', () => {
  test.each<[string, Parameters<typeof browser>[0], string]>([
    ['it promises', { persisted: says(true) }, 'granted'],
    ['it does not', { persisted: says(false) }, 'refused'],
    ['it has no such question', {}, 'unknown'],
    ['it cannot tell', { persisted: fails }, 'unknown'],
  ])('%s', async (_what, room, answer) => {
    expect(await persistence(browser(room).environment)).toBe(answer);
  });

  test('is unknown where it tells nothing of its storage at all', async () => {
    expect(await persistence(new Device(contractOnlyBackend()).environment())).toBe('unknown');
  });
});

describe('a browser is asked for its promise', () => {
  test.each<[string, boolean, string]>([
    ['and gives it', true, 'granted'],
    ['and refuses it', false, 'refused'],
  ])('%s', async (_what, answer, told) => {
    const { environment, asked } = browser({ persisted: says(false), persist: says(answer) });
    expect(await requestPersistence(environment)).toBe(told);
    expect(asked).toEqual(['persisted', 'persist']);
  });

  test('unless it gave it before: a person would be asked for nothing', async () => {
    const { environment, asked } = browser({ persisted: says(true), persist: says(false) });
    expect(await requestPersistence(environment)).toBe('granted');
    expect(asked).toEqual(['persisted']);
  });

  test('once with all saves of a page, and a save hears of no failure', async () => {
    const { environment, asked } = browser({ persisted: says(false), persist: fails });
    askToPersist(environment);
    askToPersist(environment);
    await expect.poll(() => asked).toEqual(['persisted', 'persist']);
    askToPersist(environment);
    expect(await persistence(environment)).toBe('refused');
    expect(asked).toEqual(['persisted', 'persist', 'persisted']);
  });
});
