import '../on-postgres.ts';
import '../content.test.ts';
import '../webhooks.test.ts';
import '../example-site.test.ts';
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openSqliteEngine } from '../../../server/stores/sqlite/store.ts';
import { RESOURCES } from '../../../src/domain/resources/index.ts';
import { siteMeta } from '../../../src/domain/resources/site-meta.ts';
import { formOf, signedIn } from '../harness.ts';
import { filesFor, valuesFor } from '../samples.ts';

const CALLS = [
  '/all',
  '/site',
  ...RESOURCES.flatMap(({ name }) => [`/${name}`, `/${name}/2`, `/${name}/3`, `/${name}?limit=1`]),
  '/generators?capacity>=1kVA&sort=-capacity,brand',
  '/generators?brand=zürich&sort=brand',
  '/projects?sort=projectName&limit=2',
];

/** Texts that databases may sort and compare in ways of their own. */
const TEXTS = ['Zürich', 'zebra', 'Älter', '10', '9'];

/** What the site reads from a server on this database, whose clock and chance are those of every other one. */
async function answersOn(overrides: Parameters<typeof signedIn>[1]) {
  let now = Date.parse('2026-11-20T10:00:00.000Z');
  let drawn = 0;
  const randomBytes = (count: number) => {
    drawn += 1;
    return createHash('sha512').update(String(drawn)).digest().subarray(0, count);
  };
  const server = await signedIn({ CONTENT: 'public' }, { ...overrides, now: () => now, randomBytes });
  const site = formOf(valuesFor(siteMeta.fields));
  expect((await server.admin.post(siteMeta.endpoints.single, site)).statusCode).toBe(200);
  const names = new Map<string, string>();
  for (const resource of RESOURCES) {
    for (const text of TEXTS) {
      now += 1000;
      const field = resource.fields.find(({ kind }) => kind === 'text');
      const titled = field === undefined ? {} : { [field.name]: text };
      const form = formOf({ ...valuesFor(resource.fields), ...titled }, await filesFor(resource));
      expect((await server.admin.post(resource.endpoints.create, form)).statusCode).toBe(200);
    }
    expect((await server.admin.post(`${resource.endpoints.delete}/3`, undefined)).statusCode).toBe(200);
  }
  const answers = [];
  for (const url of CALLS) {
    const headers = { 'accept-encoding': 'br' };
    const answer = await server.app.inject({ url: `/content/v1${url}`, headers });
    const plain = (await server.app.inject(`/content/v1${url}`)).body;
    // names of files are drawn in the order in which they happen to be stored
    const body = plain.replaceAll(/[\w-]{20,}(?=\.\w{3,4})/g, (name) => {
      names.set(name, names.get(name) ?? `file-${names.size}`);
      return names.get(name) ?? '';
    });
    answers.push({ url, status: answer.statusCode, type: answer.headers['content-type'], body });
  }
  return answers;
}

test('answers are identical for SQLite and PostgreSQL', async () => {
  const [postgres, sqlite] = [await answersOn({}), await answersOn({ openEngine: openSqliteEngine })];
  expect(postgres.length).toBeGreaterThan(40);
  for (const [index, answer] of postgres.entries()) expect(answer).toEqual(sqlite[index]);
});
