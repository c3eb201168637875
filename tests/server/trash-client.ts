import { expect } from 'vitest';
import { TRASH_PATH, type TrashPage } from '../../src/domain/protocol/trash.ts';
import type { Resource } from '../../src/domain/resource.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { type Client, formOf, type signedIn, withKey } from './harness.ts';
import { filesFor, picture, sha256, valuesFor } from './samples.ts';

type Server = Awaited<ReturnType<typeof signedIn>>;

/** A record with files, and what can be done with it. Generators have three photos and a catalogue. */
export async function created(admin: Client, resource: Resource, mark = 'one') {
  const files = await filesFor(resource, mark);
  const photo = { field: 'images[]', bytes: await picture('png', '#123456'), name: 'three.png', type: 'image/png' };
  const all = resource === generators ? [...files, photo] : files;
  const answer = await admin.post(resource.endpoints.create, formOf(valuesFor(resource.fields, mark), all));
  expect(answer.statusCode).toBe(200);
  const id = answer.json().id as number;
  const single = `${resource.endpoints.single}/${id}`;
  return {
    id,
    single,
    record: (await admin.get(single)).json(),
    remove: (headers: Record<string, string> = {}) =>
      admin.post(`${resource.endpoints.delete}/${id}`, undefined, headers),
    restore: (headers: Record<string, string> = withKey(), by: Client = admin) =>
      by.post(`${TRASH_PATH}/${resource.name}/${id}/restore`, undefined, headers),
    purge: (by: Client = admin) => by.post(`${TRASH_PATH}/${resource.name}/${id}/delete`, undefined),
  };
}

/** A page of the trash. */
export const trashOf = async (admin: Client, query = ''): Promise<TrashPage> =>
  (await admin.get(`${TRASH_PATH}${query}`)).json();

/** The stored names of a record's files. */
export const namesOf = (record: { files: { name: string }[] }) => record.files.map(({ name }) => name);

/** The hashes of served files, or the status where none is served. */
export async function bytesOf(admin: Client, names: readonly string[], at = '/uploads') {
  const answers = await Promise.all(names.map((name) => admin.get(`${at}/${name}`)));
  return answers.map(({ statusCode, rawPayload }) => (statusCode === 200 ? sha256(rawPayload) : statusCode));
}

/** Rows by table, of everything that a deletion could leave behind. */
export async function rowsOf({ app }: Pick<Server, 'app'>) {
  const tables = ['trash', 'trashed_files', 'files', 'images', 'removed_files'] as const;
  const counted = tables.map(async (table) => {
    const rows = await app.services.db.selectFrom(table).selectAll().execute();
    return [table, rows.length] as const;
  });
  return Object.fromEntries(await Promise.all(counted));
}
