import { describe, expect, test } from 'vitest';
import { isAnsweredByKey, mayBeDelivered } from '../../../src/domain/outbox/delivery.ts';
import { isDeletion, isUntouched, isUntried } from '../../../src/domain/outbox/scheduler.ts';
import {
  answeredFault,
  isFailing,
  isTooMuchForLink,
  statusOf,
  waitsForAnother,
} from '../../../src/domain/outbox/status.ts';
import type { Change, Delivery } from '../../../src/domain/outbox/vocabulary.ts';
import { creating, deleting, editing, entryOf, fileOf, type MoreFacts, NOW, partner } from './samples.ts';

const edit = editing('7', partner('Acme'), partner('Acme Ltd'));
const withFile = { ...edit, files: [fileOf('a')] };
const conflict = { theirs: { values: {}, imageIds: [] }, foundAt: NOW };
const reason = (code: string, status?: number) =>
  ({ code, message: 'Words.', ...(status === undefined ? {} : { status }) }) as NonNullable<MoreFacts['reason']>;

test.each<[string, MoreFacts, string]>([
  ['waits', {}, 'waiting'],
  ['waits, and may be delivered', { delivery: ['attempt'] }, 'checking'],
  ['waits, and has an exported copy', { delivery: ['export'] }, 'waiting'],
  ['is being sent', { state: 'sending' }, 'sending'],
  ['is being sent again', { state: 'sending', delivery: ['attempt'] }, 'sending'],
  ['was refused', { state: 'attention', reason: reason('refused') }, 'refused'],
  ['conflicts with someone else’s change', { state: 'attention', conflict }, 'conflict'],
  ['is confirmed', { state: 'done' }, 'done'],
])('shows the status of a change that %s', (_, facts, status) => {
  expect(statusOf(entryOf(edit, facts))).toBe(status);
});

test.each<[string, MoreFacts, string | undefined]>([
  ['a server error', { reason: reason('server-error', 500) }, 'Words.'],
  ['a busy server', { reason: reason('busy') }, 'Words.'],
  ['an error on this device', { reason: reason('server-error') }, undefined],
  ['an interruption', { reason: reason('no-answer') }, undefined],
  ['a refusal that needs the administrator', { state: 'attention', reason: reason('server-error', 500) }, undefined],
  ['nothing', {}, undefined],
])('shows the server’s message while a change is retried after %s', (_, facts, words) => {
  expect(answeredFault(entryOf(edit, facts))).toBe(words);
});

test.each<[string, MoreFacts, boolean]>([
  ['waits after a server error', { reason: reason('server-error', 500) }, true],
  ['is sent again after a server error', { state: 'sending', reason: reason('server-error', 503) }, true],
  ['met an error on this device', { reason: reason('server-error') }, false],
  ['was given up after server errors', { state: 'attention', reason: reason('server-errors', 500) }, false],
  ['met no server', { reason: reason('unreachable') }, false],
  ['was not tried', {}, false],
])('a change that %s is or is not failing', (_, facts, expected) => {
  expect(isFailing(entryOf(edit, facts))).toBe(expected);
});

describe('too much for the link', () => {
  test.each<[string, Change, MoreFacts, boolean]>([
    ['files that were interrupted', withFile, { reason: reason('no-answer') }, true],
    ['files that met no server', withFile, { reason: reason('unreachable') }, true],
    ['files that a busy server did not take', withFile, { reason: reason('busy') }, false],
    ['files that were not tried', withFile, {}, false],
    ['texts that were interrupted', edit, { reason: reason('no-answer') }, false],
    [
      'files that were interrupted before and are being sent',
      withFile,
      { state: 'sending', reason: reason('no-answer') },
      false,
    ],
  ])('may or may not apply to %s', (_, change, facts, expected) => {
    expect(isTooMuchForLink(entryOf(change, facts))).toBe(expected);
  });
});

test.each<[string, MoreFacts, boolean]>([
  ['was never tried', {}, false],
  ['was tried', { attempts: 1 }, true],
  ['could not be compared first', { reason: reason('server-error', 500) }, true],
  ['is being sent again', { state: 'sending', attempts: 1 }, false],
  ['needs the administrator', { state: 'attention', attempts: 1, reason: reason('refused') }, false],
])('a change that %s may or may not be waiting for another attempt', (_, facts, expected) => {
  expect(waitsForAnother(entryOf(edit, facts))).toBe(expected);
});

test.each<[Delivery, boolean, boolean]>([
  [[], false, false],
  [['attempt'], true, true],
  [['export'], true, false],
  [['attempt', 'export'], true, false],
  [['attempt', 'repair'], true, false],
  [['repair'], false, false],
])('with %o it may be delivered: %s, and its key answers for this payload: %s', (delivery, may, byKey) => {
  const entry = entryOf(edit, { delivery });
  expect(mayBeDelivered(entry)).toBe(may);
  expect(isAnsweredByKey(entry)).toBe(byKey);
});

test.each<[string, MoreFacts, boolean, boolean]>([
  ['that is new', {}, true, true],
  ['that was exported', { delivery: ['export'] }, true, false],
  ['that was tried', { attempts: 1 }, false, false],
  ['that may be delivered', { delivery: ['attempt'] }, false, false],
  ['that is being sent', { state: 'sending' }, false, false],
])('a change %s was never tried from here: %s, from anywhere: %s', (_, facts, here, anywhere) => {
  expect(isUntried(entryOf(edit, facts))).toBe(here);
  expect(isUntouched(entryOf(edit, facts))).toBe(anywhere);
});

test.each<[Change, boolean]>([
  [deleting('7'), true],
  [{ op: 'delete-image', resource: 'generators', recordId: '7', imageId: 3, image: 'a.png' }, true],
  [creating(), false],
  [edit, false],
])('%o removes something: %s', (change, expected) => {
  expect(isDeletion({ change })).toBe(expected);
});
