import { afterEach, describe, expect, test } from 'vitest';
import { compare } from '../../src/domain/outbox/conflict.ts';
import type { Change, OutboxEntry, QueuePause } from '../../src/domain/outbox/vocabulary.ts';
import { ENTRY_SCHEMA } from '../../src/domain/outbox/vocabulary.ts';
import { chosenAll, decidedValues, firstChoices, openFields } from '../../src/features/outbox/decision.ts';
import type { Travel, Upload } from '../../src/domain/outbox/uploads.ts';
import type { MoreFacts } from '../domain/outbox/samples.ts';
import { changedValues, filesWords, fromDifference } from '../../src/features/outbox/changed-values.ts';
import { factsOf, operationOf, wordsOf } from '../../src/features/outbox/entry-words.ts';
import { catalogue as german } from '../../src/language/de.ts';
import { speak } from '../../src/language/t.ts';
import { formatTime } from '../../src/ui/format.ts';

const NOW = 1_800_000_000_000;
const change: Change = { op: 'create', resource: 'partners', recordId: 'local-1', values: { name: 'Sun' }, files: [] };
const entry = (part: MoreFacts): OutboxEntry =>
  ({
    schema: ENTRY_SCHEMA,
    sequence: 1,
    id: 'e1',
    administrator: '1',
    change,
    title: 'Sun',
    idempotencyKey: 'k1',
    state: 'pending',
    createdAt: NOW - 60_000,
    attempts: 0,
    delivery: [],
    ...part,
  }) as OutboxEntry;
afterEach(() => speak(undefined));

const pause = (cause: QueuePause['cause']): QueuePause => ({ cause, since: NOW - 1000, failures: 1 });
const said = (one: OutboxEntry, held?: QueuePause, all: readonly OutboxEntry[] = [one]) =>
  wordsOf(one, factsOf(all, held === undefined ? {} : { pause: held }, NOW));
const deletionOf = (recordId: string): Change => ({ op: 'delete', resource: 'partners', recordId });

const roof = { id: 'f', field: 'image', name: 'roof.jpg', type: 'image/jpeg', size: 3_000_000, sha256: 'hash' };
/** A new record whose photo is uploaded first, in this state. */
function travelling(upload: Partial<Upload> | undefined, more: Partial<Travel> = {}, held?: QueuePause) {
  const known = { sha256: 'hash', size: roof.size, offset: 0, failures: 0, restarts: 0, triedAt: NOW };
  const uploads = new Map(upload === undefined ? [] : [['hash', { ...known, ...upload }]]);
  const one = entry({ change: { ...change, files: [roof] } as Change });
  return wordsOf(
    one,
    factsOf([one], { ...(held && { pause: held }), travel: { uploads, fromBytes: 1, ...more } }, NOW),
  );
}

describe('the state of a change in words', () => {
  test('does not promise automatic sending while a network requires a sign-in', () => {
    const portal = { ...pause('unreachable'), portal: true as const };
    for (const delivery of [[], ['attempt']] as const) {
      expect(said(entry({ delivery }), portal)).toMatchObject({
        state: 'This Wi-Fi needs a sign-in',
        detail: 'Will be sent after that.',
      });
    }
  });

  test('a change that waits for the connection says so', () => {
    expect(said(entry({}), pause('unreachable')).state).toBe('Waiting for a connection');
  });

  test('mentions a required sign-in before any other reason for waiting', () => {
    expect(said(entry({ notBefore: NOW + 5000 }), pause('signed-out')).state).toBe('Waiting for you to sign in');
  });

  test('a later change of the same record waits its turn', () => {
    const later = entry({ id: 'e2', sequence: 2 });
    expect(said(later, undefined, [entry({}), later]).state).toBe('Waiting for its turn');
  });

  test('says that a change waits for an answer when its record is a candidate of another change', () => {
    const question = entry({ state: 'attention', delivery: ['attempt'], candidates: [4] });
    const deletion = entry({ id: 'e2', sequence: 2, change: { op: 'delete', resource: 'partners', recordId: '4' } });
    const words = said(deletion, undefined, [question, deletion]);
    expect(words.state).toBe('Waiting for your answer');
    expect(words.detail).toContain('Did this save?');
    const later = { ...deletion, id: 'e3', sequence: 3 };
    expect(said(later, undefined, [question, deletion, later]).state).toBe('Waiting for your answer');
  });

  test('never says that a change was not saved when it may have been delivered', () => {
    const words = said(entry({ delivery: ['attempt'], attempts: 1 }));
    expect(words.state).toBe('Checking whether it was saved');
    expect(words.detail).toContain('ever saved twice');
  });

  test('gives the server’s reason for a refused change and asks for attention', () => {
    const refused = entry({ state: 'attention', reason: { code: 'refused', message: 'The given data was invalid.' } });
    expect(said(refused)).toEqual({
      tone: 'attention',
      state: 'Refused by the server',
      detail: 'The given data was invalid.',
    });
  });

  test.each([
    ['several-candidates', 'Did this save?'],
    ['file-lost', 'A file was lost'],
    ['too-large', 'Too large for the server'],
    ['blocked', 'Blocked on the way'],
    ['gone', 'No longer on the server'],
    ['role-too-low', 'Your role does not allow it'],
    ['server-errors', 'The server keeps failing'],
  ] as const)('says why a change needs attention: %s is “%s”', (code, state) => {
    expect(said(entry({ state: 'attention', reason: { code, message: 'Why.' } }))).toMatchObject({
      state,
      detail: 'Why.',
    });
  });

  test('says until when the server is busy, if that time is still ahead', () => {
    const busy = (until?: number) => said(entry({}), { ...pause('busy'), ...(until !== undefined && { until }) });
    expect(busy(NOW + 60_000)).toMatchObject({
      state: 'The server is busy',
      detail: expect.stringContaining('Next try at'),
    });
    for (const words of [busy(), busy(NOW), busy(NOW - 1)]) expect(words.detail).toBe('Will send automatically.');
  });

  test('gives the reason and time of the next try, also for a deletion that can no longer be undone', () => {
    const reason = { code: 'busy', message: 'The record is in use.' } as const;
    const later = { attempts: 1, notBefore: NOW + 60_000, reason };
    for (const one of [entry(later), entry({ ...later, change: deletionOf('4') })]) {
      expect(said(one).state).toBe('Waiting');
      expect(said(one).detail).toMatch(/^The record is in use\. Next try at /);
    }
    const doubt = said(
      entry({ ...later, delivery: ['attempt'], reason: { code: 'no-answer', message: 'No answer came.' } }),
    );
    expect(doubt.state).toBe('Checking whether it was saved');
    expect(doubt.detail).toMatch(/^No answer came\. Next try at /);
  });

  test('describes the upload of the files that are sent before a change', () => {
    expect(travelling(undefined).state).toBe('Waiting to be sent');
    expect(travelling({ offset: 1 })).toMatchObject({ tone: 'busy', state: 'Sending its files' });
    expect(travelling({ halted: true }, {}, pause('unreachable')).state).toBe('Paused');
    expect(travelling({ notBefore: NOW + 5000 })).toMatchObject({
      state: 'Waiting',
      detail: expect.stringContaining('Next try at'),
    });
    expect(travelling({ notBefore: NOW }).state).toBe('Sending its files');
    expect(travelling(undefined, { wifiOver: 1_000_000, metered: true })).toMatchObject({
      state: 'Waiting for Wi-Fi',
      detail: 'roof.jpg is larger than 1.0 MB.',
    });
  });

  test('shows the time of the next try, whatever the reason for the delay', () => {
    const at = NOW + 25 * 60_000;
    const words = `Next try at ${formatTime(at)}.`;
    const tried = { attempts: 1, notBefore: at, lastAttemptAt: NOW - 60_000 };
    expect(said(entry(tried)).detail).toBe(words);
    expect(said(entry({ ...tried, delivery: ['attempt'] })).detail).toBe(
      `The server didn’t answer. Nothing is ever saved twice. ${words}`,
    );
    expect(said(entry({}), { ...pause('busy'), until: at }).detail).toBe(words);
    expect(travelling({ notBefore: at }).detail).toBe(words);
  });

  test('says that a file waits for Wi-Fi even without a connection', () => {
    const held = { wifiOver: 1_000_000, metered: true };
    expect(travelling(undefined, held, pause('unreachable')).state).toBe('Waiting for Wi-Fi');
  });

  test('says “waiting for its turn” only of a change behind another of the same record', () => {
    const later = entry({ id: 'e2', sequence: 2 });
    const other = entry({ id: 'e3', sequence: 3, change: { ...change, recordId: 'local-2' } as Change });
    expect(said(other, undefined, [entry({}), later, other]).state).toBe('Waiting to be sent');
  });

  test('mentions somebody else in a conflict only if another person made the other edit', () => {
    const facts = { theirs: { values: {}, imageIds: [] }, foundAt: NOW };
    expect(said(entry({ state: 'attention', conflict: facts })).state).toBe('Edited by someone else too');
    expect(said(entry({ state: 'attention', conflict: { ...facts, own: true } })).state).toBe('You edited this twice');
    const deletion: Change = { op: 'delete', resource: 'partners', recordId: '4' };
    expect(said(entry({ change: deletion, state: 'attention', conflict: facts }))).toMatchObject({
      state: 'Changed since',
      detail: 'Someone has changed it since. Delete anyway?',
    });
  });

  test('a fresh deletion can still be undone', () => {
    const deletion = entry({ change: { op: 'delete', resource: 'partners', recordId: '4' }, notBefore: NOW + 3000 });
    expect(said(deletion).state).toBe('Can still be undone');
  });

  test('says that a change of a newer app version waits for an update', () => {
    expect(said(entry({ schema: ENTRY_SCHEMA + 1 })).state).toBe('Waiting for an app update');
  });
});

test('describes what a change does and the files it carries', () => {
  const photo = { id: 'f', field: 'image', name: 'a.png', type: 'image/png', size: 1_500_000, sha256: '' };
  expect(operationOf(entry({}))).toBe('New partner');
  expect(operationOf(entry({ state: 'done', change: { ...change, op: 'delete', recordId: '4' } }))).toBe(
    'Deleted partner',
  );
  const edit = { ...change, op: 'update', recordId: '4', base: { values: {}, imageIds: [] } } as Change;
  const drop: Change = { op: 'delete-image', resource: 'partners', recordId: '4', imageId: 1, image: 'x.png' };
  const both = (one: Change) => [entry({ change: one }), entry({ change: one, state: 'done' })].map(operationOf);
  expect(both(edit)).toEqual(['Edit partner', 'Updated partner']);
  expect(both(drop)).toEqual(['Delete image of partner', 'Deleted image of partner']);
  expect(operationOf(entry({ schema: ENTRY_SCHEMA + 1 }))).toBe('Change');
  expect(filesWords(change)).toBe('');
  expect(filesWords({ ...change, files: [photo, photo] })).toBe('2 files, 3.0 MB');
});

test('lists the changed fields of an edit, and nothing else', () => {
  const base = { values: { name: 'Sun', link: 'https://a.example' }, imageIds: [] };
  const values = { name: 'Moon', link: ' https://a.example' };
  const edit: Change = { op: 'update', resource: 'partners', recordId: '7', values, files: [], base };
  expect(changedValues(entry({ change: edit }))).toEqual([
    { field: 'name', label: 'Name', before: 'Sun', after: 'Moon' },
  ]);
  expect(changedValues(entry({}))).toEqual([]);
});

test('shows a choice in the user’s language', () => {
  speak(german);
  const base = { values: { type: 'Single Phase' }, imageIds: [] };
  const values = { type: 'Three Phase' };
  const edit: Change = { op: 'update', resource: 'grid-tie-inverters', recordId: '7', values, files: [], base };
  expect(changedValues(entry({ change: edit }))).toMatchObject([{ before: 'Einphasig', after: 'Dreiphasig' }]);
});

test('shortens two long texts to where they differ', () => {
  const text = 'Forty panels on the roof of the mill, with two inverters.';
  expect(fromDifference(text, text.replace('two', 'three'))).toEqual([
    '… mill, with two inverters.',
    '… mill, with three inverters.',
  ]);
  expect(fromDifference('30 kVA', '33 kVA')).toEqual(['30 kVA', '33 kVA']);
  const address = `https://example.com/${'x'.repeat(40)}`;
  expect(fromDifference(`${address}1`, `${address}2`)).toEqual([`${address}1`, `${address}2`]);
});

describe('deciding a conflict', () => {
  const base = { values: { name: 'Sun', link: 'a' }, imageIds: [] };
  const edit: Change = {
    op: 'update',
    resource: 'partners',
    recordId: '4',
    values: { name: 'Sun Ltd', link: 'mine' },
    files: [],
    base,
  };
  const comparison = compare(edit, { values: { name: 'Sun', link: 'theirs' }, imageIds: [] });

  test('preselects fields that only one side changed, and leaves the rest open', () => {
    const choices = firstChoices(comparison);
    expect(choices).toEqual({ name: 'mine' });
    expect(openFields(comparison, choices)).toEqual(['link']);
  });

  test('takes everything from one side, but keeps a file that only the server has', () => {
    expect(chosenAll(comparison, 'mine', () => true)).toEqual({ name: 'mine', link: 'mine' });
    expect(chosenAll(comparison, 'mine', (field) => field !== 'link')).toEqual({ name: 'mine', link: 'theirs' });
    expect(chosenAll(comparison, 'theirs', () => true)).toEqual({ name: 'theirs', link: 'theirs' });
  });

  test('sends what was chosen: mine, theirs or something else', () => {
    expect(decidedValues(comparison, { name: 'mine', link: 'theirs' })).toEqual({ name: 'Sun Ltd', link: 'theirs' });
    expect(decidedValues(comparison, { name: 'theirs', link: 'mine' })).toEqual({ name: 'Sun', link: 'mine' });
    expect(decidedValues(comparison, { name: 'mine', link: { edited: 'both' } })['link']).toBe('both');
  });
});
