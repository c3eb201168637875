import { describe, expect, test } from 'vitest';
import { overlayRows } from '../../../src/domain/outbox/optimistic-view.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { deleting, editing, entryOf, fileOf, partner } from './samples.ts';

const partners = resourceOf('partners');
const rows = [{ id: 7, name: 'Acme', image: 'acme.png' }];
const none = new Map<string, number>();

describe('a row with several changes', () => {
  const edit = entryOf(editing('7', partner('Acme'), partner('Acme Ltd')));
  const refused = entryOf(editing('7', partner('Acme'), partner('Acme Inc')), {
    state: 'attention',
    reason: { code: 'refused', message: 'No.' },
  });
  const deletion = entryOf(deleting('7'));

  test.each([
    ['the deletion before all others', [edit, refused, deletion], 'delete', deletion.id],
    ['a change that needs the administrator before waiting ones', [edit, refused], 'update', refused.id],
    ['the first of several waiting ones', [edit, entryOf(edit.change)], 'update', edit.id],
  ] as const)('reports %s', (_, entries, pending, entryId) => {
    expect(overlayRows(partners, rows, entries, none)[0]).toMatchObject({ pending, entryId });
  });

  test('stays as listed when only one of its images is to be removed', () => {
    const removal = entryOf({ op: 'delete-image', resource: 'partners', recordId: '7', imageId: 1, image: 'a.png' });
    expect(overlayRows(partners, rows, [removal], none)[0]).toMatchObject({ name: 'Acme', pending: 'update' });
  });

  test('keeps the photo that the server lists', () => {
    const generators = resourceOf('generators');
    const values = { brand: 'Perkins' };
    const change = { ...editing('3', values, values), resource: 'generators', files: [fileOf('new')] } as const;
    const [listed, bare] = overlayRows(
      generators,
      [{ id: 3, photo: 'a.png' }, { id: 4 }],
      [entryOf(change), entryOf({ ...change, recordId: '4' })],
      none,
    );
    expect(listed).not.toHaveProperty('localImage');
    expect(bare).toMatchObject({ localImage: { id: 'new' } });
  });
});
