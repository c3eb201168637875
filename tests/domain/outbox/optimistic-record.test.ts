import { describe, expect, test } from 'vitest';
import { baseOfView } from '../../../src/domain/outbox/base.ts';
import { overlayRecord } from '../../../src/domain/outbox/optimistic-view.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { creating, deleting, editing, entryOf, fileOf, NOW, partner } from './samples.ts';

const partners = resourceOf('partners');

describe('a record', () => {
  const record = {
    id: 7,
    name: 'Acme',
    link: 'a',
    image: 'acme.png',
    version: '3',
    images: [{ id: 1, image: 'x.png' }],
  };

  test('shows the server’s texts with the waiting ones over them, in order', () => {
    const edits = [editing('7', {}, partner('B', 'b')), editing('7', {}, partner('C', 'b'))].map((change) =>
      entryOf(change),
    );
    expect(overlayRecord(partners, record, { entries: edits }, '7')).toMatchObject({
      values: partner('C', 'b'),
      version: '3',
      files: { image: 'acme.png' },
      entries: { length: 2 },
    });
  });

  test('shows somebody’s newer text where a waiting edit did not touch it', () => {
    const edit = entryOf(editing('7', partner('Acme', 'before'), partner('B', 'before')));
    expect(overlayRecord(partners, record, { entries: [edit] }, '7')).toMatchObject({
      values: partner('B', 'a'),
      version: '3',
    });
  });

  test('shows all texts of a waiting edit where the record was never read', () => {
    const edit = entryOf(editing('7', partner('Acme', 'before'), partner('B', 'before')));
    expect(overlayRecord(partners, undefined, { entries: [edit] }, '7').values).toEqual(partner('B', 'before'));
  });

  test('shows waiting files and image removals', () => {
    const photo = fileOf('photo');
    const add = entryOf({ ...editing('7', {}, partner('A')), files: [photo] });
    const drop = entryOf({ op: 'delete-image', resource: 'partners', recordId: '7', imageId: 1, image: 'x.png' });
    expect(overlayRecord(partners, record, { entries: [add, drop] }, '7')).toMatchObject({
      pendingFiles: [photo],
      removedImageIds: [1],
      images: [{ id: 1 }],
    });
  });

  test('has sent no file that still waits, and keeps the stored one beside it', () => {
    const logo = fileOf('logo', 'image');
    const edit = entryOf({ ...editing('7', {}, partner('A')), files: [logo] });
    expect(overlayRecord(partners, record, { entries: [edit] }, '7')).toMatchObject({
      pendingFiles: [logo],
      sentFiles: [],
      files: { image: 'acme.png' },
    });
  });

  test('is deleted on the version that is shown: that of an own confirmed change, where it shows all of it', () => {
    const receipt = { at: NOW, message: 'Partner Updated Successfully', version: '4' };
    const shown = (more: object, read: typeof record | undefined = record) => {
      const entries = [entryOf(editing('7', partner('Acme'), partner('B')), { state: 'done', ...more })];
      const { version, shownVersion } = overlayRecord(partners, read, { entries }, '7');
      return { version, shownVersion };
    };
    expect(overlayRecord(partners, record, { entries: [] }, '7')).toMatchObject({ version: '3', shownVersion: '3' });
    expect(shown({ receipt })).toEqual({ version: undefined, shownVersion: '4' });
    expect(shown({ receipt: { ...receipt, merged: ['link'] } })).toEqual({ version: undefined, shownVersion: '3' });
    expect(shown({ receipt: { ...receipt, version: undefined } })).toEqual({ version: undefined, shownVersion: '3' });
    expect(shown({ receipt }, undefined)).toEqual({ version: undefined, shownVersion: '4' });
    // what waits has brought nothing yet
    const waiting = entryOf(editing('7', partner('Acme'), partner('B')));
    expect(overlayRecord(partners, record, { entries: [waiting] }, '7').shownVersion).toBe('3');
  });

  test('shows what was confirmed, which waits no more', () => {
    const photo = fileOf('photo');
    const add = entryOf({ ...editing('7', {}, partner('A')), files: [photo] }, { state: 'done' });
    const change = { op: 'delete-image', resource: 'partners', recordId: '7', imageId: 1, image: 'x.png' } as const;
    const drop = entryOf(change, { state: 'done' });
    expect(overlayRecord(partners, record, { entries: [add, drop] }, '7')).toMatchObject({
      values: partner('A'),
      images: [],
      pendingFiles: [],
      sentFiles: [photo],
      removedImageIds: [],
      entries: [],
      deleted: false,
    });
  });

  test('is still there while its deletion or its files are being sent', () => {
    const photo = fileOf('photo');
    const add = entryOf({ ...editing('7', {}, partner('A')), files: [photo] }, { state: 'sending' });
    const deletion = entryOf(deleting('7'), { state: 'sending' });
    expect(overlayRecord(partners, record, { entries: [add, deletion] }, '7')).toMatchObject({
      pendingFiles: [photo],
      sentFiles: [],
      deleted: false,
      known: true,
      version: '3',
      entries: [add, deletion],
    });
  });

  test('is gone when its deletion was confirmed', () => {
    const deletion = entryOf(deleting('7'), { state: 'done' });
    expect(overlayRecord(partners, record, { entries: [deletion] }, '7').deleted).toBe(true);
  });

  test('that was read does not get the files of its creation once more', () => {
    const create = { ...creating('local-1', partner('New')), files: [fileOf('photo')] } as never;
    const done = entryOf(create, { state: 'done', receipt: { at: NOW, message: '', serverId: 7 } });
    expect(overlayRecord(partners, record, { entries: [done] }, '7')).toMatchObject({
      values: { name: 'Acme' },
      sentFiles: [],
    });
  });

  test('gives a base without the name of a file that was replaced since it was read', () => {
    const edit = { ...editing('7', {}, partner('B')), files: [fileOf('logo', 'image')] };
    const sent = overlayRecord(partners, record, { entries: [entryOf(edit, { state: 'done' })] }, '7');
    expect(sent).not.toHaveProperty('image');
    expect(baseOfView(sent).files).toEqual({});
  });

  test('that the server does not know yet shows what was saved here', () => {
    const create = entryOf(creating('local-1', partner('New')));
    expect(overlayRecord(partners, undefined, { entries: [create] }, 'local-1')).toMatchObject({
      values: partner('New'),
      images: [],
    });
  });

  test('is the same under its local and its server’s id', () => {
    const identities = new Map([['partners/local-1', 7]]);
    const late = entryOf(editing('local-1', {}, partner('Late')));
    const early = entryOf(editing('7', {}, partner('Early')));
    expect(overlayRecord(partners, record, { entries: [late], identities }, '7').values).toEqual(partner('Late'));
    expect(overlayRecord(partners, record, { entries: [early], identities }, 'local-1').values).toEqual(
      partner('Early'),
    );
  });

  test('gives a base that counts waiting changes as seen, and no file name that is being replaced', () => {
    const edit = entryOf({ ...editing('7', {}, partner('B')), files: [fileOf('logo', 'image')] });
    expect(baseOfView(overlayRecord(partners, record, { entries: [edit] }, '7'))).toEqual({
      version: '3',
      values: partner('B'),
      imageIds: [1],
      files: {},
    });
  });
});

describe('a record that was never read', () => {
  const done = entryOf(creating('local-1', partner('Acme')), {
    state: 'done',
    receipt: { at: NOW, message: 'Created.', serverId: 7 },
  });
  const ids = new Map([['partners/local-1', 7]]);

  test('is known where it was made here, under both of its ids', () => {
    for (const id of ['7', 'local-1']) {
      const view = overlayRecord(partners, undefined, { entries: [done], identities: ids }, id);
      expect(view).toMatchObject({ known: true, values: partner('Acme') });
      // its version is not known, so that the sender compares
      expect(view).not.toHaveProperty('version');
    }
  });

  test('is not known by somebody else’s word, nor after its deletion', () => {
    expect(overlayRecord(partners, undefined, { entries: [] }, '7').known).toBe(false);
    const deleted = entryOf(deleting('7'), { state: 'done', receipt: { at: NOW, message: 'Deleted.' } });
    expect(overlayRecord(partners, undefined, { entries: [done, deleted], identities: ids }, '7').known).toBe(false);
  });
});

test('a record with a change laid over that was confirmed since has no version: the sender is to compare', () => {
  const record = { id: 7, name: 'Acme', link: 'a', version: '3' };
  const edit = editing('7', partner('Acme', 'a'), partner('Acme Ltd', 'a'), '3');
  const done = entryOf(edit, { state: 'done', receipt: { at: NOW, message: 'Done.' } });
  expect(overlayRecord(partners, record, { entries: [] }, '7')).toMatchObject({ version: '3' });
  expect(overlayRecord(partners, record, { entries: [entryOf(edit)] }, '7')).toMatchObject({ version: '3' });
  const view = overlayRecord(partners, record, { entries: [done] }, '7');
  expect(view.values).toMatchObject({ name: 'Acme Ltd' });
  expect(view).not.toHaveProperty('version');
});
