import { describe, expect, test } from 'vitest';
import { baseOfView } from '../../../src/domain/outbox/base.ts';
import { overlayRecord, overlayRows } from '../../../src/domain/outbox/optimistic-view.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { creating, deleting, editing, entryOf, fileOf, NOW, partner } from './samples.ts';

const partners = resourceOf('partners');

const rows = [
  { id: 7, name: 'Acme', image: 'acme.png' },
  { id: 8, name: 'Bolt', image: 'bolt.png' },
];

const none = new Map<string, number>();

describe('a list', () => {
  test('marks a change that is being sent like a waiting one', () => {
    const edit = entryOf(editing('7', partner('Acme'), partner('Acme Ltd')), { state: 'sending' });
    const deletion = entryOf(deleting('8'), { state: 'sending' });
    const shown = overlayRows(partners, rows, [edit, deletion], none);
    expect(shown.map(({ pending, status }) => [pending, status])).toEqual([
      ['update', 'sending'],
      ['delete', 'sending'],
    ]);
  });

  test('shows edits and deletes in place, marked', () => {
    const edit = entryOf(editing('7', partner('Acme'), partner('Acme Ltd')));
    const deletion = entryOf(deleting('8'));
    const [first, second] = overlayRows(partners, rows, [edit, deletion], none);
    expect(first).toMatchObject({ recordId: '7', name: 'Acme Ltd', pending: 'update', entryId: edit.id });
    expect(second).toMatchObject({ recordId: '8', name: 'Bolt', pending: 'delete', entryId: deletion.id });
  });

  test('shows the fields of each change, even when a later edit was started before an earlier one', () => {
    const link = { ...partner('Acme'), link: 'https://acme.example' };
    const name = entryOf(editing('7', partner('Acme'), partner('Acme Ltd')));
    const later = entryOf(editing('7', partner('Acme'), link));
    const shown = { name: 'Acme Ltd', link: 'https://acme.example' };
    expect(overlayRows(partners, rows, [name, later], none)[0]).toMatchObject(shown);
    const { values } = overlayRecord(
      partners,
      { ...rows[0], ...partner('Acme') } as never,
      { entries: [name, later] },
      '7',
    );
    expect(values).toMatchObject(shown);
  });

  test('shows rows without waiting changes unchanged', () => {
    expect(overlayRows(partners, rows, [], none)).toEqual(rows.map((row) => ({ ...row, recordId: String(row.id) })));
  });

  test('shows new records last, as the server does, with their picked image', () => {
    const image = fileOf('logo', 'image');
    const older = entryOf({ ...creating('local-1', partner('New')), files: [image] } as never);
    const newer = entryOf(creating('local-2', partner('Newer')));
    const shown = overlayRows(partners, rows, [older, newer], none);
    expect(shown.map(({ recordId }) => recordId)).toEqual(['7', '8', 'local-1', 'local-2']);
    expect(shown[2]).toMatchObject({ name: 'New', pending: 'create', localImage: image });
  });

  test('shows the latest picked image instead of an earlier one', () => {
    const [first, last] = [fileOf('first', 'image'), fileOf('last', 'image')];
    const edits = [first, last].map((image) =>
      entryOf({ ...editing('7', partner('Acme'), partner('Acme')), files: [image] } as never),
    );
    expect(overlayRows(partners, rows, edits, none)[0]?.localImage).toEqual(last);
  });

  test('carries the version of a confirmed change, so that the row can be deleted next', () => {
    const read = rows.map((row) => ({ ...row, version: 'read' }));
    const receipt = { at: NOW, message: 'Partner Updated Successfully', version: 'confirmed' };
    const edit = entryOf(editing('7', partner('Acme'), partner('Acme Ltd')), { state: 'done', receipt });
    expect(overlayRows(partners, read, [edit], none).map(({ version }) => version)).toEqual(['confirmed', 'read']);
  });

  test('keeps the version it was read with when a confirmed change merged texts that it does not show', () => {
    const read = rows.map((row) => ({ ...row, version: 'read' }));
    const receipt = { at: NOW, message: 'Partner Updated Successfully', version: 'confirmed', merged: ['link'] };
    const edit = entryOf(editing('7', partner('Acme'), partner('Acme Ltd')), { state: 'done', receipt });
    expect(overlayRows(partners, read, [edit], none)[0]).toMatchObject({ version: 'read' });
  });

  test('shows rows without a serial last, in their order', () => {
    const unsorted = [
      { id: 1, text: 'Without', serial: null },
      { id: 2, text: 'Two', serial: 2 },
      { id: 3, text: 'Without too', serial: '' },
    ];
    const shown = overlayRows(resourceOf('sliders'), unsorted, [], new Map());
    expect(shown.map(({ recordId }) => recordId)).toEqual(['2', '1', '3']);
  });

  test('sorts by serial, including serials that are waiting', () => {
    const slides = [
      { id: 1, text: 'One', serial: 1 },
      { id: 2, text: 'Two', serial: 2 },
    ];
    const edit = entryOf({ ...editing('1', {}, { text: 'One', serial: '10' }), resource: 'sliders' });
    const texts = overlayRows(resourceOf('sliders'), slides, [edit], none).map(({ text }) => text);
    expect(texts).toEqual(['Two', 'One']);
  });

  test('shows a created record once when the server already has it', () => {
    const create = entryOf(creating('local-1', partner('Acme')));
    const shown = overlayRows(partners, rows, [create], new Map([['partners/local-1', 7]]));
    expect(shown.map(({ recordId }) => recordId)).toEqual(['7', '8']);
    expect(shown[0]).not.toHaveProperty('pending');
  });

  test('shows an edit waiting behind a create that the server already has', () => {
    const create = entryOf(creating('local-1', partner('Acme')));
    const edit = entryOf(editing('local-1', partner('Acme'), partner('Acme Ltd')));
    const shown = overlayRows(partners, rows, [create, edit], new Map([['partners/local-1', 7]]));
    expect(shown[0]).toMatchObject({ recordId: '7', name: 'Acme Ltd', pending: 'update', entryId: edit.id });
  });

  test('reports the change that needs the administrator before later ones', () => {
    const waiting = entryOf(editing('7', partner('Acme'), partner('A')), { state: 'attention' });
    const behind = entryOf(editing('7', partner('A'), partner('B')));
    expect(overlayRows(partners, rows, [waiting, behind], none)[0]).toMatchObject({
      status: 'refused',
      entryId: waiting.id,
    });
  });

  test('reports a refused change even when another one waits before it', () => {
    const waiting = entryOf(editing('7', partner('Acme'), partner('A')));
    const refused = entryOf(editing('7', partner('A'), partner('B')), { state: 'attention' });
    expect(overlayRows(partners, rows, [waiting, refused], none)[0]).toMatchObject({
      status: 'refused',
      entryId: refused.id,
    });
  });

  test('shows confirmed changes as they were sent, without a mark', () => {
    const edit = entryOf(editing('7', partner('Acme'), partner('Acme Ltd')), { state: 'done' });
    const deletion = entryOf(deleting('8'), { state: 'done' });
    expect(overlayRows(partners, rows, [edit, deletion], none)).toEqual([
      { ...rows[0], ...partner('Acme Ltd'), recordId: '7' },
    ]);
  });

  test('shows a confirmed new record under its server id, with the picture that was sent', () => {
    const image = fileOf('logo', 'image');
    const create = { ...creating('local-1', partner('New')), files: [image] } as never;
    const done = entryOf(create, { state: 'done', receipt: { at: NOW, message: '', serverId: 9 } });
    expect(overlayRows(partners, rows, [done], none).at(-1)).toEqual({
      ...partner('New'),
      recordId: '9',
      localImage: image,
    });
    const gone = entryOf(deleting('9'), { state: 'done' });
    expect(overlayRows(partners, rows, [done, gone], none)).toHaveLength(2);
  });

  test('reports a waiting change that follows a confirmed one', () => {
    const sent = entryOf(editing('7', partner('Acme'), partner('A', 'a')), { state: 'done' });
    const waiting = entryOf(editing('7', partner('A', 'a'), partner('B', 'a')));
    expect(overlayRows(partners, rows, [sent, waiting], none)[0]).toMatchObject({
      ...partner('B', 'a'),
      pending: 'update',
      entryId: waiting.id,
      status: 'waiting',
    });
  });

  test('leaves other kinds of records alone', () => {
    const slider = entryOf({ op: 'delete', resource: 'sliders', recordId: '7' });
    expect(overlayRows(partners, rows, [slider], none)[0]).not.toHaveProperty('pending');
  });
});

test('shows the first of several picked photos for a record that has none yet', () => {
  const generators = resourceOf('generators');
  const files = [fileOf('sheet', 'catalog'), fileOf('front'), fileOf('back')];
  const create = entryOf({ op: 'create', resource: 'generators', recordId: 'local-1', values: {}, files });
  expect(overlayRows(generators, [], [create], none)[0]?.localImage).toMatchObject({ id: 'front' });
});

describe('files in fields with other names', () => {
  const named = (kind: string, name: string) => ({ kind, name, label: name, required: false }) as never;
  const owner = { ...partners, fields: [...partners.fields, named('file', 'manual'), named('image', 'logo')] };
  const record = { id: 7, name: 'Acme', image: 'acme.png', manual: 'start.pdf', logo: 'logo.png' };

  test('appear in the view and in the base of an edit', () => {
    const view = overlayRecord(owner, record, { entries: [] }, '7');
    expect(view.files).toEqual({ image: 'acme.png', manual: 'start.pdf', logo: 'logo.png' });
    expect(baseOfView(view).files).toEqual(view.files);
  });

  test('appear as pictures in the list by their kind', () => {
    const create = entryOf({ ...creating('local-1'), files: [fileOf('a', 'manual'), fileOf('b', 'logo')] } as never);
    expect(overlayRows(owner, [], [create], none)[0]?.localImage).toMatchObject({ id: 'b' });
  });
});
