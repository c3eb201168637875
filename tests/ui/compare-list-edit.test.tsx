import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { bulkChanges, bulkDrafts } from '../../src/resource/list/bulk-edit.ts';
import { entryOf, NOW } from '../domain/outbox/samples.ts';
import { openOutbox } from './open-outbox.tsx';

const row = {
  recordId: '7',
  brand: 'Perkins',
  capacity: '20 kVA',
  generator_model: 'P22',
  engine_model: 'e',
  alternator_model: 'a',
  origin: 'UK',
  series: 'Perkins Series',
};

test('a conflict of an edit in the list does not invent photos that came meanwhile', () => {
  const [made] = bulkDrafts(generators, 'capacity', bulkChanges(generators, [row], 'capacity', '22 kVA'), {
    administrator: '7',
  });
  const { recordId: _, ...values } = row;
  // nobody has touched a photo: the record has had these three for years
  const theirs = { values: { ...values, capacity: '24 kVA' }, imageIds: [1, 2, 3] };
  const entry = entryOf(made?.draft as OutboxEntry['change'], {
    state: 'attention',
    reason: { code: 'conflict', message: '' },
    conflict: { theirs, foundAt: NOW },
  });
  openOutbox([entry], {}, { address: `/outbox/conflict/${entry.id}` });
  expect(screen.queryByText(/Meanwhile on the server/)?.textContent).toBeUndefined();
});
