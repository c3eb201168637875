import { expect, test } from 'vitest';
import {
  bytesForWifi,
  isForWifi,
  isTravelling,
  pausedBytes,
  progressOf,
  queueProgress,
  sampled,
  timeLeft,
} from '../../../src/domain/outbox/progress.ts';
import type { Travel, Upload } from '../../../src/domain/outbox/uploads.ts';
import type { Change, OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import { creating, entryOf, fileOf, NOW } from './samples.ts';

const MB = 1024 * 1024;
const SECOND = 1_000;
const large = fileOf('large', 'images', 8 * MB);

function travelAt(offset: number, more: Partial<Upload> = {}): Travel {
  const upload = { sha256: large.sha256, size: large.size, offset, failures: 0, restarts: 0, triedAt: NOW, ...more };
  return { fromBytes: 256 * 1024, uploads: new Map([[large.sha256, upload]]) };
}

function withLarge(more: Partial<OutboxEntry> = {}): OutboxEntry {
  return entryOf({ ...creating('local-1'), files: [large] } as Change, more);
}

test('a change’s progress is that of its files', () => {
  expect(progressOf(withLarge(), travelAt(2 * MB))).toEqual({ sent: 2 * MB, total: 8 * MB + 1_024 });
  expect(progressOf(withLarge(), undefined)).toEqual({ sent: 0, total: 8 * MB + 1_024 });
});

test('the queue’s progress counts only changes that are sent automatically', () => {
  const refused = withLarge({ state: 'attention' });
  expect(queueProgress([withLarge(), refused, entryOf(creating('local-2'))], travelAt(MB))).toEqual({
    sent: MB,
    total: 8 * MB + 2 * 1_024,
  });
});

test('the queue’s progress includes a change that is being sent', () => {
  const sending = withLarge({ state: 'sending' });
  expect(queueProgress([sending], travelAt(8 * MB))).toEqual({ sent: 8 * MB, total: 8 * MB + 1_024 });
});

test('a file is travelling from its first answer until it is complete, waiting or paused', () => {
  expect(isTravelling(withLarge(), { fromBytes: 256 * 1024, uploads: new Map() })).toBe(false);
  expect(isTravelling(withLarge(), travelAt(0))).toBe(true);
  expect(isTravelling(withLarge(), travelAt(8 * MB))).toBe(false);
  expect(isTravelling(withLarge(), travelAt(MB, { notBefore: NOW + 1 }))).toBe(false);
  expect(isTravelling(withLarge(), travelAt(MB, { halted: true }))).toBe(false);
});

test('the estimate includes breaks of the link and looks back three minutes', () => {
  let samples = sampled([], { at: NOW, arrived: 0 });
  samples = sampled(samples, { at: NOW + 10 * SECOND, arrived: MB });
  expect(timeLeft(samples, 4 * MB)).toBeUndefined();
  samples = sampled(samples, { at: NOW + 40 * SECOND, arrived: 2 * MB });
  expect(timeLeft(samples, 4 * MB)).toBe(80 * SECOND);
  samples = sampled(samples, { at: NOW + 200 * SECOND, arrived: 2 * MB });
  expect(samples).toHaveLength(2);
  expect(timeLeft(samples, 4 * MB)).toBeUndefined();
});

test('samples from before the clock was set back are dropped', () => {
  const next = { at: NOW, arrived: MB };
  expect(sampled([{ at: NOW + 48 * 3_600 * SECOND, arrived: 0 }], next)).toEqual([next]);
});

test('paused bytes are counted separately', () => {
  const refused = withLarge({ state: 'attention' });
  const entries = [withLarge(), refused, entryOf(creating('local-2'))];
  expect(pausedBytes(entries, travelAt(2 * MB, { halted: true }))).toBe(6 * MB + 1_024);
  expect(pausedBytes(entries, travelAt(2 * MB))).toBe(0);
  expect(pausedBytes(entries, travelAt(8 * MB, { halted: true }))).toBe(0);
});

test('a file that waits for Wi-Fi is not travelling, and is counted separately from paused ones', () => {
  const away: Travel = { ...travelAt(2 * MB), wifiOver: MB, metered: true };
  const paused: Travel = { ...travelAt(2 * MB, { halted: true }), wifiOver: MB, metered: true };
  expect(isTravelling(withLarge(), away)).toBe(false);
  const middle = fileOf('middle', 'images', MB);
  const going = { sha256: middle.sha256, size: MB, offset: 0, failures: 0, restarts: 0, triedAt: NOW };
  const both = entryOf({ ...creating('local-1'), files: [large, middle] } as Change);
  const uploads = new Map([...away.uploads, [middle.sha256, going]]);
  expect(isTravelling(both, { ...away, uploads })).toBe(true);
  expect(isForWifi(withLarge(), away)).toBe(true);
  expect(isForWifi(withLarge({ state: 'attention' }), away)).toBe(false);
  expect(bytesForWifi([withLarge(), entryOf(creating('local-2'))], away)).toBe(6 * MB + 1_024);
  expect(bytesForWifi([withLarge()], paused)).toBe(0);
  expect(pausedBytes([withLarge()], paused)).toBe(6 * MB + 1_024);
});
