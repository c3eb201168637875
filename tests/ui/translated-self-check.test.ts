import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { selfCheck } from '../../src/api/self-check.ts';
import { catalogue as german } from '../../src/language/de.ts';
import { catalogue as pseudo } from '../../src/language/pseudo.ts';
import { speak } from '../../src/language/t.ts';
import { plainWords } from './untranslated.ts';

const offline = vi.hoisted(() => ({ persistence: 'granted', keepsBlobs: true, cause: 'busy' }));
vi.mock('../../src/api/device.ts', () => ({
  device: async () => ({
    persistence: async () => offline.persistence,
    engineOf: () => ({ keepsBlobs: offline.keepsBlobs }),
    queueState: async () => ({
      waiting: 1,
      needAttention: 2,
      otherAdministratorsWaiting: 3,
      lossNoticedAt: 4,
      pause: { cause: offline.cause },
    }),
    receipts: async () => [],
  }),
}));

beforeEach(() => {
  speak(pseudo);
  vi.stubGlobal('matchMedia', () => ({ matches: offline.keepsBlobs }));
});
afterEach(() => {
  speak(undefined);
  vi.unstubAllGlobals();
});

test.each([
  ['granted', true],
  ['refused', false],
  ['unknown', false],
])('translates the facts of a device: storage %s', async (persistence, keepsBlobs) => {
  Object.assign(offline, { persistence, keepsBlobs });
  const facts = await selfCheck();
  expect(facts.flatMap(({ name }) => plainWords(name))).toEqual([]);
  // a build, a browser and a clock have names of their own
  expect(facts.slice(2, -1).flatMap(({ value }) => plainWords(value))).toEqual([]);
});

test('in German, the state of the worker and the clock are in words', async () => {
  speak(german);
  const getRegistration = async () => ({ active: { state: 'activated' } });
  vi.stubGlobal('navigator', { userAgent: 'a browser', serviceWorker: { getRegistration } });
  const values = new Map((await selfCheck()).map(({ name, value }) => [name, value]));
  expect(values.get('Worker')).toBe('aktiv');
  expect(values.get('Uhr')).toMatch(/^\w+, \d+\. \p{L}+ \d{4} um /u);
});

test.each([
  ['unreachable', 'Server nicht erreichbar'],
  ['busy', 'Server ausgelastet'],
  ['signed-out', 'abgemeldet'],
])('in German, numbers have a comma, and a pause for %s is in words', async (cause, words) => {
  speak(german);
  offline.cause = cause;
  const estimate = async () => ({ usage: 12.34 * 1024 * 1024, quota: 2000 * 1024 * 1024 });
  vi.stubGlobal('navigator', { userAgent: 'a browser', storage: { estimate } });
  const facts = await selfCheck();
  const values = facts.map(({ value }) => value).join('\n');
  expect(values).toContain('12,3 MB von 2.000,0 MB');
  expect(values).toContain(`angehalten: ${words}, `);
});
