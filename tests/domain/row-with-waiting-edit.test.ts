import { expect, test } from 'vitest';
import { overlayRows } from '../../src/domain/outbox/optimistic-view.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { listCsv } from '../../src/resource/csv/csv-export.ts';
import { editing, entryOf } from './outbox/samples.ts';

const OLD = { name: 'Acme', link: 'https://old.example' };
// an edit of the name waits (offline, refused or in conflict); a colleague has changed the link since
const waiting = entryOf(editing('1', OLD, { name: 'Acme Ltd', link: OLD.link }, 'v1'));
const row = { id: 1, name: 'Acme', link: 'https://colleague.example', version: 'v2' };

test('a row with a waiting edit shows what a colleague wrote into the other fields', () => {
  const [shown] = overlayRows(partners, [row], [waiting], new Map());
  expect(shown).toMatchObject({ name: 'Acme Ltd', link: 'https://colleague.example' });
});

test('and its export does not carry the value from before', () => {
  const csv = listCsv(partners, overlayRows(partners, [row], [waiting], new Map()));
  expect(csv).toContain('colleague.example');
});

test('and its version, to which a delete from the list is bound, is not newer than what it shows', () => {
  const [shown] = overlayRows(partners, [row], [waiting], new Map());
  expect([shown?.['version'], shown?.['link']]).not.toEqual(['v2', OLD.link]);
});
