import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { selfCheck } from '../../src/api/self-check.ts';
import { catalogue as pseudo } from '../../src/language/pseudo.ts';
import { speak } from '../../src/language/t.ts';
import { plainWords } from './untranslated.ts';

const offline = vi.hoisted(() => ({ persistence: 'granted', keepsBlobs: true }));
vi.mock('../../src/api/device.ts', () => ({
  device: async () => ({
    persistence: async () => offline.persistence,
    engineOf: () => ({ keepsBlobs: offline.keepsBlobs }),
    queueState: async () => ({ waiting: 1, needAttention: 2, otherAdministratorsWaiting: 3, lossNoticedAt: 4 }),
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
