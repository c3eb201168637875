import { expect, test } from 'vitest';
import { backoff, LONGEST_WAIT, retryAfter, stillWaiting } from '../../../src/domain/outbox/backoff.ts';
import { NOW } from './samples.ts';

test('the backoff doubles from two seconds up to five minutes', () => {
  const full = [1, 2, 3, 4, 8, 9, 50].map((failures) => backoff(failures, 0.999999));
  expect(full).toEqual([2_000, 4_000, 8_000, 16_000, 256_000, LONGEST_WAIT, LONGEST_WAIT]);
});

test('jitter shortens the backoff by at most half and never lengthens it', () => {
  expect(backoff(3, 0)).toBe(4_000);
  expect(backoff(3, 0.5)).toBe(6_000);
});

test('reads Retry-After as seconds or as an HTTP date', () => {
  expect(retryAfter('120', NOW)).toBe(120_000);
  expect(retryAfter(new Date(NOW + 90_000).toUTCString(), NOW)).toBe(90_000);
});

test('a Retry-After in the past means no wait, and an unreadable one is ignored', () => {
  expect(retryAfter(new Date(NOW - 90_000).toUTCString(), NOW)).toBe(0);
  expect(retryAfter('soon', NOW)).toBeUndefined();
  expect(retryAfter(null, NOW)).toBeUndefined();
});

test('a wait ends at its time, or at once when the clock was set back', () => {
  expect(stillWaiting(NOW, NOW + 5_000, NOW + 4_999)).toBe(true);
  expect(stillWaiting(NOW, NOW + 5_000, NOW + 5_000)).toBe(false);
  expect(stillWaiting(NOW, NOW + 5_000, NOW - 48 * 3_600_000)).toBe(false);
});
