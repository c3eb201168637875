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
  test('marks a change that is being sent like one that waits', () => {
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

  test('shows what each change touched, also where a later one was begun before it', () => {
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

  test('shows what nothing waits for as it is', () => {
    expect(overlayRows(partners, rows, [], none)).toEqual(rows.map((row) => ({ ...row, recordId: String(row.id) })));
  });

  test('shows new records last, as the server will, with their picked image', () => {
    const image = fileOf('logo', 'image');
    const older = entryOf({ ...creating('local-1', partner('New')), files: [image] } as never);
    const newer = entryOf(creating('local-2', partner('Newer')));
    const shown = overlayRows(partners, rows, [older, newer], none);
    expect(shown.map(({ recordId }) => recordId)).toEqual(['7', '8', 'local-1', 'local-2']);
    expect(shown[2]).toMatchObject({ name: 'New', pending: 'create', localImage: image });
  });

  test('shows the picture that was picked last in the place of an earlier one', () => {
    const [first, last] = [fileOf('first', 'image'), fileOf('last', 'image')];
    const edits = [first, last].map((image) =>
      entryOf({ ...editing('7', partner('Acme'), partner('Acme')), files: [image] } as never),
    );
    expect(overlayRows(partners, rows, edits, none)[0]?.localImage).toEqual(last);
  });

  test('carries the version that a confirmed change has brought, so that it can be deleted next', () => {
    const read = rows.map((row) => ({ ...row, version: 'read' }));
    const receipt = { at: NOW, message: 'Partner Updated Successfully', version: 'confirmed' };
    const edit = entryOf(editing('7', partner('Acme'), partner('Acme Ltd')), { state: 'done', receipt });
    expect(overlayRows(partners, read, [edit], none).map(({ version }) => version)).toEqual(['confirmed', 'read']);
  });

  test('keeps the version it was read with where a change has kept texts that it does not show', () => {
    const read = rows.map((row) => ({ ...row, version: 'read' }));
    const receipt = { at: NOW, message: 'Partner Updated Successfully', version: 'confirmed', merged: ['link'] };
    const edit = entryOf(editing('7', partner('Acme'), partner('Acme Ltd')), { state: 'done', receipt });
    expect(overlayRows(partners, read, [edit], none)[0]).toMatchObject({ version: 'read' });
  });

  test('shows what has no serial last, as it came', () => {
    const unsorted = [
      { id: 1, text: 'Without', serial: null },
      { id: 2, text: 'Two', serial: 2 },
      { id: 3, text: 'Without too', serial: '' },
    ];
    const shown = overlayRows(resourceOf('sliders'), unsorted, [], new Map());
    expect(shown.map(({ recordId }) => recordId)).toEqual(['2', '1', '3']);
  });

  test('stands in the order of its serials, also of one that waits', () => {
    const slides = [
      { id: 1, text: 'One', serial: 1 },
      { id: 2, text: 'Two', serial: 2 },
    ];
    const edit = entryOf({ ...editing('1', {}, { text: 'One', serial: '10' }), resource: 'sliders' });
    const texts = overlayRows(resourceOf('sliders'), slides, [edit], none).map(({ text }) => text);
    expect(texts).toEqual(['Two', 'One']);
  });

  test('shows a record once when the server has it already', () => {
    const create = entryOf(creating('local-1', partner('Acme')));
    const shown = overlayRows(partners, rows, [create], new Map([['partners/local-1', 7]]));
    expect(shown.map(({ recordId }) => recordId)).toEqual(['7', '8']);
    expect(shown[0]).not.toHaveProperty('pending');
  });

  test('shows what waits behind a create whose record the server has already', () => {
    const create = entryOf(creating('local-1', partner('Acme')));
    const edit = entryOf(editing('local-1', partner('Acme'), partner('Acme Ltd')));
    const shown = overlayRows(partners, rows, [create, edit], new Map([['partners/local-1', 7]]));
    expect(shown[0]).toMatchObject({ recordId: '7', name: 'Acme Ltd', pending: 'update', entryId: edit.id });
  });

  test('speaks of the change that needs the administrator first', () => {
    const waiting = entryOf(editing('7', partner('Acme'), partner('A')), { state: 'attention' });
    const behind = entryOf(editing('7', partner('A'), partner('B')));
    expect(overlayRows(partners, rows, [waiting, behind], none)[0]).toMatchObject({
      status: 'refused',
      entryId: waiting.id,
    });
  });

  test('speaks of a refused change also where another one waits before it', () => {
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

  test('shows a confirmed new record under the server’s id, with the picture that was sent', () => {
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

  test('speaks of what waits where something was confirmed before', () => {
    const sent = entryOf(editing('7', partner('Acme'), partner('A', 'a')), { state: 'done' });
    const waiting = entryOf(editing('7', partner('A', 'a'), partner('B', 'a')));
    expect(overlayRows(partners, rows, [sent, waiting], none)[0]).toMatchObject({
      ...partner('B', 'a'),
      pending: 'update',
      entryId: waiting.id,
      status: 'waiting',
    });
  });

  test('leaves other kinds of record alone', () => {
    const slider = entryOf({ op: 'delete', resource: 'sliders', recordId: '7' });
    expect(overlayRows(partners, rows, [slider], none)[0]).not.toHaveProperty('pending');
  });
});

test('the first of several picked photos stands for a record that has none yet', () => {
  const generators = resourceOf('generators');
  const files = [fileOf('sheet', 'catalog'), fileOf('front'), fileOf('back')];
  const create = entryOf({ op: 'create', resource: 'generators', recordId: 'local-1', values: {}, files });
  expect(overlayRows(generators, [], [create], none)[0]?.localImage).toMatchObject({ id: 'front' });
});

describe('files of fields with other names', () => {
  const named = (kind: string, name: string) => ({ kind, name, label: name, required: false }) as never;
  const owner = { ...partners, fields: [...partners.fields, named('file', 'manual'), named('image', 'logo')] };
  const record = { id: 7, name: 'Acme', image: 'acme.png', manual: 'start.pdf', logo: 'logo.png' };

  test('are in the view, and in the base of what is edited', () => {
    const view = overlayRecord(owner, record, { entries: [] }, '7');
    expect(view.files).toEqual({ image: 'acme.png', manual: 'start.pdf', logo: 'logo.png' });
    expect(baseOfView(view).files).toEqual(view.files);
  });

  test('are pictures in the list by their kind', () => {
    const create = entryOf({ ...creating('local-1'), files: [fileOf('a', 'manual'), fileOf('b', 'logo')] } as never);
    expect(overlayRows(owner, [], [create], none)[0]?.localImage).toMatchObject({ id: 'b' });
  });
});
