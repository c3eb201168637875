import { expect, test } from 'vitest';
import { findingsOfGateway, type BackEndHealth, type GatewayHealth } from '../../src/domain/protocol/gateway-health.ts';
import { NOTHING_LEARNED } from '../../src/domain/protocol/read-back/learned.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const WELL: GatewayHealth = {
  version: '1.0.0',
  startedAt: new Date(NOW - 3_600_000).toISOString(),
  diskFree: 30e9,
  diskSize: 40e9,
  largestRequest: 1e6,
  backEnd: { learned: NOTHING_LEARNED, aside: [] },
};

const about = (backEnd: Partial<BackEndHealth>) =>
  findingsOfGateway({ ...WELL, backEnd: { ...WELL.backEnd, ...backEnd } }, NOW);
const habits = (backEnd: Partial<BackEndHealth>) =>
  about(backEnd)
    .filter(({ subject }) => subject === 'Back end')
    .map(({ text }) => text);

test('a stock back end has nothing to tell', () => {
  expect(habits({})).toEqual(['Nothing unusual has been seen so far.']);
  expect(about({}).map(({ state }) => state)).toEqual(['good', 'good', 'good', 'good', 'good']);
});

test('what was learned is told in words', () => {
  const learned = {
    files: { 'images image/png': { changedFrom: 10 }, 'catalog application/pdf': { unreadable: true as const } },
    texts: { 'ups.brand': 'capitals' as const },
    listLag: 4200,
  };
  expect(habits({ learned, limit: 60, hasKeys: true })).toEqual([
    'It keeps keys and versions itself: nothing has to be found out.',
    'It stores pictures with other bytes. A record is recognized by its texts and the number of its files.',
    'Its files cannot be read back. A record is recognized by its texts and the number of its files.',
    'It rewrites texts: Ups Brand.',
    'Its lists show new records after up to 5 s.',
    'It allows 60 requests a minute. Comparing lists takes at most a third.',
  ]);
});

test('a change that waits for its sender is named, before all that is fine', () => {
  const since = new Date(NOW - 3 * 3_600_000).toISOString();
  const [first] = about({
    aside: [{ kind: 'ups', title: 'APC', since, message: 'The back end cannot be read at the moment.' }],
  });
  expect(first).toEqual({
    subject: 'Set aside',
    state: 'warning',
    text: 'Ups “APC”, sent 3 hours ago: The back end cannot be read at the moment.',
  });
});
