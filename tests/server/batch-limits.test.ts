import { expect, test } from 'vitest';
import { addUser } from '../../server/stores/sql/users.ts';
import { CHANGES_PATH } from '../../src/domain/protocol/capabilities.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { signedIn } from './harness.ts';
import { valuesFor } from './samples.ts';
import { named } from './staging-client.ts';
import { change, linesOf, sendBatch, png, world, statuses } from './batch-client.ts';

test('reports a server error for its change alone, and logs it', async () => {
  const log: string[] = [];
  const { admin, app } = await signedIn({ LOG_LEVEL: 'error' }, { logStream: { write: (line) => log.push(line) } });
  const { keep } = app.services.reserve;
  const faults = [new Error('the works are jammed'), Object.assign(new Error('full'), { code: 'ENOSPC' })];
  Object.assign(app.services.reserve, {
    keep: async () => {
      const fault = faults.shift();
      if (fault !== undefined) throw fault;
      return keep();
    },
  });
  const settings = () => change('update', 'site-meta', { fields: valuesFor(siteMeta.fields) });
  // of different records, so that none waits for another
  const image = await png('#654321');
  const partner = (id: string) =>
    change('create', 'partners', { id, fields: { name: id }, files: [named('image', image.bytes)] });
  const bad = change('create', 'partners', { id: 'local-3', fields: { name: '' } });
  const answer = linesOf(await sendBatch(admin, [settings(), partner('local-1'), partner('local-2'), bad], [image]));
  expect(answer.map(({ status, retryAfter }) => [status, retryAfter])).toEqual([
    [500, undefined],
    [503, 60],
    [200, undefined],
    [422, undefined],
  ]);
  // a mistake of the sender is not a server error; sign-ins are logged at every level
  const failures = log.map((line) => JSON.parse(line)).filter(({ audit }) => audit === undefined);
  expect(failures).toMatchObject([
    { msg: 'change failed', err: { message: 'the works are jammed' } },
    { msg: 'change failed', err: { message: 'full' } },
  ]);
});

test('refuses more changes or bytes than its limits, before any change is executed', async () => {
  const { admin, names, partner, logo } = await world();
  const { batches } = (await admin.get('/api/capabilities')).json();
  expect(batches).toEqual({ maxChanges: 50, maxBytes: 1024 * 1024 });
  const many = Array.from({ length: 51 }, (_, index) => partner(`local-${index}`, `p ${index}`));
  const tooMany = await sendBatch(admin, many, [logo]);
  expect([tooMany.statusCode, tooMany.json().code]).toEqual([413, 'batch-too-large']);
  const heavy = { ...logo, bytes: new Uint8Array(1024 * 1024) };
  expect((await sendBatch(admin, many.slice(0, 1), [logo, heavy])).statusCode).toBe(413);
  const wordy = change('update', 'site-meta', { fields: { title: 'x'.repeat(1024 * 1024) } });
  expect((await sendBatch(admin, [wordy])).statusCode).toBe(413);
  expect(await names()).toEqual([]);
  expect(statuses(await sendBatch(admin, many.slice(0, 50), [logo]))).toEqual(Array(50).fill(200));
});

test('requires sign-in, the anti-forgery value and the role of an editor', async () => {
  const { app, client, admin, partner, logo } = await world();
  const batch = [partner('local-1', 'one')];
  const stranger = await client();
  await stranger.get('/api/user');
  expect((await sendBatch(stranger, batch)).statusCode).toBe(401);
  const at = new Date().toISOString();
  const password = 'four grey donkeys';
  await addUser(app.services, { name: 'V', email: 'v@example.com', password, at, role: 'viewer' });
  await stranger.signIn('v@example.com', password);
  expect((await sendBatch(stranger, batch)).statusCode).toBe(403);
  expect((await stranger.get(`${CHANGES_PATH}?keys=${batch[0]?.key}`)).statusCode).toBe(200);
  await sendBatch(admin, batch, [logo]);
  const { answers } = (await stranger.get(`${CHANGES_PATH}?keys=${batch[0]?.key}`)).json();
  expect(answers[batch[0]?.key ?? '']).toEqual({ status: 404 });
  admin.cookies.clear();
  expect((await sendBatch(admin, batch)).statusCode).toBe(419);
});

test('refuses a lookup of no keys, too many keys, or an invalid key', async () => {
  const { admin } = await signedIn();
  const many = Array.from({ length: 51 }, (_, index) => `some-key-${index}`).join(',');
  for (const keys of ['', many, 'a b c d e f g h', 'short'])
    expect((await admin.get(`${CHANGES_PATH}?keys=${encodeURIComponent(keys)}`)).statusCode).toBe(400);
  expect((await admin.get(`${CHANGES_PATH}?keys=some-key-1&keys=some-key-2`)).statusCode).toBe(400);
  const most = many.slice(0, many.lastIndexOf(','));
  expect((await admin.get(`${CHANGES_PATH}?keys=${most}`)).statusCode).toBe(200);
});

test('accepts up to two hundred small files with a batch', async () => {
  const { admin } = await signedIn();
  const files = Array.from({ length: 201 }, (_, n) => {
    return { field: 'image', bytes: new Uint8Array([n]), name: `${n}.png`, type: 'image/png' };
  });
  const settings = change('update', 'site-meta', { fields: valuesFor(siteMeta.fields) });
  expect((await sendBatch(admin, [settings], files.slice(1))).statusCode).toBe(200);
  const refused = await sendBatch(admin, [settings], files);
  expect([refused.statusCode, refused.json().code]).toEqual([422, 'too-many-files']);
});

test('accepts the files of several changes, though each change may have only one', async () => {
  const { admin } = await signedIn({ MAX_FILES: '1' });
  const logos = [await png('#123456'), await png('#654321')];
  const partners = logos.map(({ bytes }, index) =>
    change('create', 'partners', {
      id: `local-${index}`,
      fields: { name: `p ${index}` },
      files: [named('image', bytes, 'logo.png')],
    }),
  );
  expect(statuses(await sendBatch(admin, partners, logos))).toEqual([200, 200]);
});

test('answers for every key, also for one with the name of a property that every object has', async () => {
  const { admin } = await signedIn();
  const answer = await admin.get(`${CHANGES_PATH}?keys=__proto__,constructor`);
  expect(answer.body).toBe('{"answers":{"__proto__":{"status":404},"constructor":{"status":404}}}');
});
