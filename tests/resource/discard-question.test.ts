import { expect, test } from 'vitest';
import { discardQuestion } from '../../src/features/outbox/discard-question.ts';
import { creating, deleting, editing, entryOf, partner } from '../domain/outbox/samples.ts';

const reason = { code: 'refused', message: 'It is in use.' } as const;

const words = (...asked: Parameters<typeof discardQuestion>) => discardQuestion(...asked).text;

test('says that what was entered is lost for good, along with later changes of the record', () => {
  expect(words(entryOf(creating()), 2)).toBe(
    '“Acme” will not be sent, and what you entered is gone for good. 2 later changes of this record will go with it.',
  );
});

test('claims no more than is known of a change that may have reached the server', () => {
  const edit = entryOf(editing('7', partner('A'), partner('B')), {
    state: 'pending',
    attempts: 1,
    delivery: ['attempt'],
  });
  expect(words(edit, 0)).toBe(
    '“Acme” will not be sent again, and what you entered is gone for good. What has reached the server already stays there.',
  );
});

test('a change that is being sent may already be on the server', () => {
  const sending = entryOf(editing('7', partner('A'), partner('B')), { state: 'sending', delivery: [] });
  expect(words(sending, 0)).toMatch(/will not be sent again, .* What has reached the server already stays there\.$/);
});

test('says that a discarded deletion deletes nothing, and mentions no entered data', () => {
  expect(words(entryOf(deleting('7'), { state: 'pending' }), 0)).toBe('“Acme” will not be deleted.');
  const drop = { op: 'delete-image', resource: 'partners', recordId: '7', imageId: 1, image: 'x.png' } as const;
  expect(words(entryOf(drop), 0)).toBe('The image of “Acme” will not be deleted.');
  expect(words(entryOf(drop, { state: 'pending', attempts: 1, delivery: ['attempt'] }), 0)).toBe(
    'The deletion of an image of “Acme” will not be sent again. What has reached the server already stays there.',
  );
  const doubtful = entryOf(deleting('7'), { state: 'pending', attempts: 1, delivery: ['attempt'] });
  expect(words(doubtful, 0)).toBe(
    'The deletion of “Acme” will not be sent again. What has reached the server already stays there.',
  );
});

test('says that discarding a deletion does not restore the changes it dropped', () => {
  const took = (tookAlong: number) =>
    words(entryOf(deleting('7'), { state: 'attention', attempts: 1, tookAlong, reason }), 0);
  expect(took(1)).toBe(
    '“Acme” will not be deleted. 1 earlier change of this record was dropped with the deletion and can’t be restored.',
  );
  expect(took(2)).toBe(
    '“Acme” will not be deleted. 2 earlier changes of this record were dropped with the deletion and can’t be restored.',
  );
});
