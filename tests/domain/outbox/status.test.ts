import { describe, expect, test } from 'vitest';
import { isAnsweredByKey, mayBeDelivered } from '../../../src/domain/outbox/delivery.ts';
import { isDeletion, isUntouched, isUntried } from '../../../src/domain/outbox/scheduler.ts';
import { answeredFault, isTooMuchForLink, statusOf, waitsForAnother } from '../../../src/domain/outbox/status.ts';
import type { Change, Delivery } from '../../../src/domain/outbox/vocabulary.ts';
import { creating, deleting, editing, entryOf, fileOf, type MoreFacts, NOW, partner } from './samples.ts';

const edit = editing('7', partner('Acme'), partner('Acme Ltd'));
const withFile = { ...edit, files: [fileOf('a')] };
const conflict = { theirs: { values: {}, imageIds: [] }, foundAt: NOW };
const reason = (code: string, status?: number) =>
  ({ code, message: 'Words.', ...(status === undefined ? {} : { status }) }) as NonNullable<MoreFacts['reason']>;

test.each<[string, MoreFacts, string]>([
  ['waits', {}, 'waiting'],
  ['waits, and may be on the server', { delivery: ['attempt'] }, 'checking'],
  ['waits, and a copy of it is elsewhere', { delivery: ['export'] }, 'waiting'],
  ['is on its way', { state: 'sending' }, 'sending'],
  ['is on its way once more', { state: 'sending', delivery: ['attempt'] }, 'sending'],
  ['was refused', { state: 'attention', reason: reason('refused') }, 'refused'],
  ['met somebody else’s change', { state: 'attention', conflict }, 'conflict'],
  ['has arrived', { state: 'done' }, 'done'],
])('a change that %s is told so', (_, facts, status) => {
  expect(statusOf(entryOf(edit, facts))).toBe(status);
});

test.each<[string, MoreFacts, string | undefined]>([
  ['a server’s error', { reason: reason('server-error', 500) }, 'Words.'],
  ['a busy server', { reason: reason('busy') }, 'Words.'],
  ['a fault on this device', { reason: reason('server-error') }, undefined],
  ['a cut', { reason: reason('no-answer') }, undefined],
  ['a refusal that waits for somebody', { state: 'attention', reason: reason('server-error', 500) }, undefined],
  ['nothing', {}, undefined],
])('what the server said of %s is told while it is tried again', (_, facts, words) => {
  expect(answeredFault(entryOf(edit, facts))).toBe(words);
});

describe('too much for the link', () => {
  test.each<[string, Change, MoreFacts, boolean]>([
    ['files that were cut', withFile, { reason: reason('no-answer') }, true],
    ['files that met no server', withFile, { reason: reason('unreachable') }, true],
    ['files that a server has refused to take now', withFile, { reason: reason('busy') }, false],
    ['files that were not tried', withFile, {}, false],
    ['texts that were cut', edit, { reason: reason('no-answer') }, false],
    [
      'files that were cut before, and are on their way',
      withFile,
      { state: 'sending', reason: reason('no-answer') },
      false,
    ],
  ])('are or are not %s', (_, change, facts, expected) => {
    expect(isTooMuchForLink(entryOf(change, facts))).toBe(expected);
  });
});

test.each<[string, MoreFacts, boolean]>([
  ['was never tried', {}, false],
  ['was tried', { attempts: 1 }, true],
  ['could not be compared first', { reason: reason('server-error', 500) }, true],
  ['is on its way again', { state: 'sending', attempts: 1 }, false],
  ['needs the administrator', { state: 'attention', attempts: 1, reason: reason('refused') }, false],
])('a change that %s does or does not wait for another attempt', (_, facts, expected) => {
  expect(waitsForAnother(entryOf(edit, facts))).toBe(expected);
});

test.each<[Delivery, boolean, boolean]>([
  [[], false, false],
  [['attempt'], true, true],
  [['export'], true, false],
  [['attempt', 'export'], true, false],
  [['attempt', 'repair'], true, false],
  [['repair'], false, false],
])(
  'with %o it may be delivered: %s, and the answer under its key is that of this payload: %s',
  (delivery, may, byKey) => {
    const entry = entryOf(edit, { delivery });
    expect(mayBeDelivered(entry)).toBe(may);
    expect(isAnsweredByKey(entry)).toBe(byKey);
  },
);

test.each<[string, MoreFacts, boolean, boolean]>([
  ['that just came in', {}, true, true],
  ['that was exported', { delivery: ['export'] }, true, false],
  ['that was tried', { attempts: 1 }, false, false],
  ['that may be on the server', { delivery: ['attempt'] }, false, false],
  ['that is on its way', { state: 'sending' }, false, false],
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
