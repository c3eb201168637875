import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { realDisk } from '../../server/uploads/disk.ts';
import { projects } from '../../src/domain/resources/projects.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { formOf, signedIn, withKey } from './harness.ts';
import { filesFor, valuesFor } from './samples.ts';

const on = (version: string) => ({ 'if-match': `"${version}"` });

/** Lets the callers continue once that many have arrived, and everyone after them at once. */
function meeting() {
  let awaited = 0;
  let open: () => void = () => undefined;
  let all = Promise.resolve();
  return {
    expect(count: number) {
      awaited = count;
      all = new Promise((resolve) => (open = resolve));
    },
    join: () => {
      awaited -= 1;
      if (awaited === 0) open();
      return all;
    },
  };
}

/** A project, on a server whose changes meet between their check and their execution. */
async function withProject() {
  const rendezvous = meeting();
  const flushFolder = async (path: string) => (await rendezvous.join(), realDisk.flushFolder(path));
  const server = await signedIn({ TRASH_DAYS: '0' }, { disk: { ...realDisk, flushFolder } });
  const { admin } = server;
  const files = await filesFor(projects);
  const form = (mark: string) => formOf(valuesFor(projects.fields, mark), files);
  const { id, version } = (await admin.post(projects.endpoints.create, form('one'))).json();
  const single = `${projects.endpoints.single}/${id}`;
  const read = async () => (await admin.get(single)).json();
  return { ...server, rendezvous, form, version, single, read, remove: `${projects.endpoints.delete}/${id}` };
}

test('accepts one of two simultaneous edits of the same version, and reports the conflict to the other', async () => {
  const { admin, rendezvous, single, form, version, read, dataDir } = await withProject();
  rendezvous.expect(2);
  const answers = await Promise.all(['two', 'three'].map((mark) => admin.post(single, form(mark), on(version))));
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 412]);
  const taken = answers.findIndex(({ statusCode }) => statusCode === 200);
  const record = await read();
  expect(record.client_name).toBe(`Client name ${['two', 'three'][taken]}`);
  expect(record.images).toHaveLength(4);
  expect(answers[1 - taken]?.json()).toMatchObject({ code: 'version-mismatch', version: record.version });
  const known = record.files.map((file: { name: string }) => file.name);
  const kept = (await readdir(join(dataDir, 'uploads'))).filter((name) => !name.startsWith('.'));
  expect(kept.toSorted()).toEqual(known.toSorted());
});

test('refuses to remove an image of a record that has changed since, and removes nothing', async () => {
  const { admin, single, version, read } = await withProject();
  const [image] = (await read()).images;
  const present = (await admin.post(single, formOf(valuesFor(projects.fields, 'two')), on(version))).json().version;
  const refused = await admin.post(`/api/delete-image/${image.id}`, undefined, on(version));
  expect(refused.statusCode).toBe(412);
  expect(refused.json()).toMatchObject({ code: 'version-mismatch', version: present });
  expect(await read()).toMatchObject({ version: present, images: [image, expect.anything()] });
  const taken = await admin.post(`/api/delete-image/${image.id}`, undefined, on(present));
  expect(taken.statusCode).toBe(200);
  expect(await read()).toMatchObject({ version: taken.json().version, images: [expect.anything()] });
});

test('does not treat a reused key as a repeat when the change is based on another version', async () => {
  const { admin, single, version, remove, form, read } = await withProject();
  const [key, other] = [withKey(), withKey()];
  const edited = await admin.post(single, form('two'), { ...key, ...on(version) });
  const present = edited.json().version;
  const again = await admin.post(single, form('two'), { ...key, ...on(present) });
  expect([again.statusCode, again.json().code]).toEqual([422, 'idempotency-key-reused']);
  expect((await read()).version).toBe(present);
  const [image] = (await read()).images;
  const url = `/api/delete-image/${image.id}`;
  expect((await admin.post(url, undefined, { ...other, ...on(present) })).statusCode).toBe(200);
  expect((await admin.post(url, undefined, { ...other, ...on(version) })).json().code).toBe('idempotency-key-reused');
  expect((await admin.post(remove, undefined, { ...key, ...on(present) })).json().code).toBe('idempotency-key-reused');
});

test('answers a repeat from storage, though the record has a newer version by then', async () => {
  const { admin, single, version, form } = await withProject();
  const headers = { ...withKey(), ...on(version) };
  const first = await admin.post(single, form('two'), headers);
  await admin.post(single, formOf(valuesFor(projects.fields, 'three')));
  const repeated = await admin.post(single, form('two'), headers);
  expect([repeated.statusCode, repeated.json()]).toEqual([200, first.json()]);
});

test.each([
  ['any version at all', () => '*', 200],
  ['one of several versions', (version: string) => `"other", "${version}"`, 200],
  ['a weak tag', (version: string) => `W/"${version}"`, 200],
  ['a part of the version', (version: string) => `"${version.slice(1)}"`, 412],
  ['an empty version', () => '""', 412],
])('reads %s in If-Match', async (_what, header, status) => {
  const { admin, version, remove } = await withProject();
  expect((await admin.post(remove, undefined, { 'if-match': header(version) })).statusCode).toBe(status);
});

test('accepts one of two saves of the site settings based on the same version', async () => {
  const { admin } = await signedIn();
  const { version } = (await admin.get(siteMeta.endpoints.single)).json();
  const save = (mark: string) =>
    admin.post(siteMeta.endpoints.single, formOf(valuesFor(siteMeta.fields, mark)), on(version));
  const statuses = (await Promise.all([save('two'), save('three')])).map((answer) => answer.statusCode);
  expect(statuses.toSorted()).toEqual([200, 412]);
});
