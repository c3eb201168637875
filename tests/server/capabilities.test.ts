import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { manageLookups } from '../../server/commands/lookups.ts';
import { ownCapabilities } from '../../server/protocol/capabilities.ts';
import { settingsRoute } from '../../server/protocol/settings-json.ts';
import { CAPABILITIES_PATH } from '../../src/domain/protocol/capabilities.ts';
import { signedIn, startServer, testSettings } from './harness.ts';

test('announces what the server can do, and its limits as configured', async () => {
  const { app } = await startServer({ MAX_FILE_MB: '3', MAX_REQUEST_MB: '7', MAX_FILES: '9', API_MAX_FILES: '5' });
  const answer = await app.inject(CAPABILITIES_PATH);
  expect(answer.headers['cache-control']).toBe('no-cache');
  const does = [
    'idempotencyKeys',
    'versions',
    'history',
    'activity',
    'fullLists',
    'changesByKey',
    'feed',
    'presence',
    'kept',
  ];
  expect(answer.json()).toEqual({
    server: 'voltdesk',
    ...Object.fromEntries([...does, 'people', 'secondFactor'].map((name) => [name, true])),
    imageSizes: [100, 300, 1200],
    trash: { days: 30 },
    staging: { fromBytes: 256 * 1024 },
    batches: { maxChanges: 50, maxBytes: 1024 * 1024 },
    limits: { maxFileBytes: 3 * 1024 * 1024, maxRequestBytes: 7 * 1024 * 1024, maxFilesPerRequest: 9 },
  });
});

test('announces the same capabilities on PostgreSQL as on SQLite', () => {
  const [own, shared] = [{}, { DATABASE_URL: 'postgres://desk:secret@db/desk' }].map((environment) =>
    ownCapabilities(testSettings(environment)),
  );
  expect(shared).toEqual(own);
});

/** Where the app sends users who have forgotten the password. */
async function forgottenAt(environment: Record<string, string>) {
  const app = fastify();
  settingsRoute(app, testSettings(environment));
  const answer = await app.inject('/settings.json');
  expect(answer.headers['cache-control']).toBe('no-cache');
  return answer.json().forgotPasswordAddress;
}

test('sends forgotten passwords to the configured address, or to mail if this server keeps the accounts', async () => {
  const mail = { SMTP_URL: 'smtp://mail.example.com', PUBLIC_HOST: 'localhost' };
  expect(await forgottenAt(mail)).toBe('/forgot-password');
  expect(await forgottenAt({ ...mail, FORGOT_PASSWORD_ADDRESS: 'https://help.example.com' })).toBe(
    'https://help.example.com',
  );
  expect(await forgottenAt({ ...mail, API_URL: 'https://api.example.com' })).toBe('');
});

test('serves each list of choices at its own address, and the brands of inverters by type', async () => {
  const { admin, app } = await signedIn();
  const { db } = app.services;
  await db.deleteFrom('lookups').execute();
  await manageLookups(db, ['add', 'generator-series', 'S9']);
  await manageLookups(db, ['add', 'ups-types', 'Flywheel']);
  await manageLookups(db, ['add', 'gti-brands', 'Single Phase', 'Sunny']);
  expect((await admin.get('/api/get-generators-series')).json()).toEqual(['S9']);
  expect((await admin.get('/api/get-all-ups-types')).json()).toEqual(['Flywheel']);
  const brandsOf = async (form: object) => (await admin.post('/api/get-gti-brands', form)).json();
  expect(await brandsOf({ type: 'Single Phase' })).toEqual(['Sunny']);
  expect([await brandsOf({ type: 'Three Phase' }), await brandsOf({})]).toEqual([[], []]);
});

test('returns an empty history for an id that cannot exist', async () => {
  const { admin } = await signedIn();
  expect((await admin.get('/api/history/generators/none')).json()).toEqual([]);
});
