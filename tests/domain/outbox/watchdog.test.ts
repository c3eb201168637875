import { expect, test } from 'vitest';
import { isStuck, type Watch } from '../../../src/domain/outbox/watchdog.ts';
import type { Change } from '../../../src/domain/outbox/vocabulary.ts';
import { creating, entryOf, fileOf, NOW } from './samples.ts';

const MINUTE = 60_000;
const watch: Watch = {
  entries: [entryOf(creating(), { createdAt: NOW - 20 * MINUTE })],
  pause: undefined,
  administrator: '1',
  lastAttemptAt: NOW - 10 * MINUTE,
  online: true,
};

test('work that was due and not tried for five minutes is stuck', () => {
  expect(isStuck(watch, NOW)).toBe(true);
});

test('a file that could travel before its change and does not is stuck', () => {
  const change = { ...creating(), files: [fileOf('large', 'images', 9_000)] } as Change;
  const travel = { fromBytes: 9_000, uploads: new Map() };
  expect(isStuck({ ...watch, entries: [entryOf(change, { createdAt: 0 })], travel }, NOW)).toBe(true);
});

test.each<[string, Partial<Watch>]>([
  ['the last attempt', { lastAttemptAt: NOW + 48 * 60 * MINUTE }],
  ['the change', { entries: [entryOf(creating(), { createdAt: NOW + 48 * 60 * MINUTE })] }],
  ['a pause', { pause: { cause: 'busy', since: NOW + 60 * MINUTE, until: NOW + 61 * MINUTE, failures: 1 } }],
])('%s dated before the clock was set back hides nothing', (_what, more) => {
  expect(isStuck({ ...watch, ...more }, NOW)).toBe(true);
});

test.each<[string, Partial<Watch>]>([
  ['there is no link', { online: false }],
  ['the queue is paused', { pause: { cause: 'busy', since: NOW - MINUTE, until: NOW + MINUTE, failures: 1 } }],
  ['the pause ended a moment ago', { pause: { cause: 'busy', since: NOW - MINUTE, until: NOW - 1, failures: 1 } }],
  ['something was tried a moment ago', { lastAttemptAt: NOW - MINUTE }],
  ['the change was made a moment ago', { entries: [entryOf(creating(), { createdAt: NOW - MINUTE })] }],
  [
    'every waiting change needs the administrator',
    { entries: [entryOf(creating(), { state: 'attention', createdAt: 0 })] },
  ],
  ['the change became due a moment ago', { entries: [entryOf(creating(), { createdAt: 0, notBefore: NOW - 1 })] }],
  ['nobody is signed in', { administrator: undefined }],
])('nothing is stuck while %s', (_why, more) => {
  expect(isStuck({ ...watch, ...more }, NOW)).toBe(false);
});
