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

  test('shows the server’s texts with the waiting edits over them, in order', () => {
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

  test('shows someone else’s newer text where a waiting edit did not touch it', () => {
    const edit = entryOf(editing('7', partner('Acme', 'before'), partner('B', 'before')));
    expect(overlayRecord(partners, record, { entries: [edit] }, '7')).toMatchObject({
      values: partner('B', 'a'),
      version: '3',
    });
  });

  test('shows all texts of a waiting edit when the record was never read', () => {
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

  test('lists a waiting file as not sent, and keeps the stored one beside it', () => {
    const logo = fileOf('logo', 'image');
    const edit = entryOf({ ...editing('7', {}, partner('A')), files: [logo] });
    expect(overlayRecord(partners, record, { entries: [edit] }, '7')).toMatchObject({
      pendingFiles: [logo],
      sentFiles: [],
      files: { image: 'acme.png' },
    });
  });

  test('takes the shown version from its own confirmed change only if that change is shown in full', () => {
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
    // a waiting change has no version yet
    const waiting = entryOf(editing('7', partner('Acme'), partner('B')));
    expect(overlayRecord(partners, record, { entries: [waiting] }, '7').shownVersion).toBe('3');
  });

  test('shows confirmed changes, which no longer count as pending', () => {
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

  test('still exists while its deletion or files are being sent', () => {
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

  test('is gone once its deletion is confirmed', () => {
    const deletion = entryOf(deleting('7'), { state: 'done' });
    expect(overlayRecord(partners, record, { entries: [deletion] }, '7').deleted).toBe(true);
  });

  test('does not get the files of its create again once it has been read', () => {
    const create = { ...creating('local-1', partner('New')), files: [fileOf('photo')] } as never;
    const done = entryOf(create, { state: 'done', receipt: { at: NOW, message: '', serverId: 7 } });
    expect(overlayRecord(partners, record, { entries: [done] }, '7')).toMatchObject({
      values: { name: 'Acme' },
      sentFiles: [],
    });
  });

  test('omits from its base the name of a file that was replaced since it was read', () => {
    const edit = { ...editing('7', {}, partner('B')), files: [fileOf('logo', 'image')] };
    const sent = overlayRecord(partners, record, { entries: [entryOf(edit, { state: 'done' })] }, '7');
    expect(sent).not.toHaveProperty('image');
    expect(baseOfView(sent).files).toEqual({});
  });

  test('shows what was saved here before the server knows it', () => {
    const create = entryOf(creating('local-1', partner('New')));
    expect(overlayRecord(partners, undefined, { entries: [create] }, 'local-1')).toMatchObject({
      values: partner('New'),
      images: [],
    });
  });

  test('is the same under its local id and its server id', () => {
    const identities = new Map([['partners/local-1', 7]]);
    const late = entryOf(editing('local-1', {}, partner('Late')));
    const early = entryOf(editing('7', {}, partner('Early')));
    expect(overlayRecord(partners, record, { entries: [late], identities }, '7').values).toEqual(partner('Late'));
    expect(overlayRecord(partners, record, { entries: [early], identities }, 'local-1').values).toEqual(
      partner('Early'),
    );
  });

  test('counts waiting changes as seen in its base, and omits a file that is being replaced', () => {
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

  test('is known under both of its ids when it was created here', () => {
    for (const id of ['7', 'local-1']) {
      const view = overlayRecord(partners, undefined, { entries: [done], identities: ids }, id);
      expect(view).toMatchObject({ known: true, values: partner('Acme') });
      // its version is unknown, so that the sender compares it
      expect(view).not.toHaveProperty('version');
    }
  });

  test('is unknown when it was neither created here nor read, and after its deletion', () => {
    expect(overlayRecord(partners, undefined, { entries: [] }, '7').known).toBe(false);
    const deleted = entryOf(deleting('7'), { state: 'done', receipt: { at: NOW, message: 'Deleted.' } });
    expect(overlayRecord(partners, undefined, { entries: [done, deleted], identities: ids }, '7').known).toBe(false);
  });
});

test('a record overlaid with a confirmed change has no version, so that the sender compares it', () => {
  const record = { id: 7, name: 'Acme', link: 'a', version: '3' };
  const edit = editing('7', partner('Acme', 'a'), partner('Acme Ltd', 'a'), '3');
  const done = entryOf(edit, { state: 'done', receipt: { at: NOW, message: 'Done.' } });
  expect(overlayRecord(partners, record, { entries: [] }, '7')).toMatchObject({ version: '3' });
  expect(overlayRecord(partners, record, { entries: [entryOf(edit)] }, '7')).toMatchObject({ version: '3' });
  const view = overlayRecord(partners, record, { entries: [done] }, '7');
  expect(view.values).toMatchObject({ name: 'Acme Ltd' });
  expect(view).not.toHaveProperty('version');
});
