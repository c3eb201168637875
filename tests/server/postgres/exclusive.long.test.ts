import { sql } from 'kysely';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openInstallation } from '../../../server/commands/installation.ts';
import { haveAlone } from '../../../server/stores/postgres/alone.ts';
import { WRITERS } from '../../../server/stores/postgres/dialect.ts';
import { openPostgresEngine } from '../../../server/stores/postgres/store.ts';
import { partners } from '../../../src/domain/resources/partners.ts';
import { create, page } from '../feed-client.ts';
import { formOf, signedIn } from '../harness.ts';
import { addressOf, untouchedDatabase } from '../on-postgres.ts';
import { filesFor, valuesFor } from '../samples.ts';

test('holds a database that servers use, whatever they call themselves, and lets none begin meanwhile', async () => {
  const address = await untouchedDatabase('exclusive');
  const engine = await openPostgresEngine(`${address}&application_name=another`);
  await sql`SELECT 1`.execute(engine.db);
  expect(await engine.clockProblem(Date.now())).toBeUndefined();
  expect(await engine.clockProblem(Date.now() - 3600_000)).toMatch(
    /^The clock of this server is 3[56]\d\d seconds behind/,
  );
  await expect(openInstallation(address, { isThere: true })).rejects.toThrow('A Voltdesk server works on');
  await engine.close();
  const alone = await haveAlone(address, 20_000);
  await expect(openPostgresEngine(address)).rejects.toMatchObject({ message: 'The database cannot be reached.' });
  await alone?.release();
  await (await openPostgresEngine(address)).close();
});

test('answers lists, feed, sign-ins and readiness while a writer hangs', async () => {
  const { admin, app, client } = await signedIn();
  await create(admin, partners, 'one');
  const { rows } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(app.services.db);
  const hanging = new Client({ connectionString: addressOf(rows[0]?.name ?? '') });
  await hanging.connect();
  onTestFinished(() => hanging.end().catch(() => undefined));
  await hanging.query(`BEGIN; SELECT pg_advisory_xact_lock(${WRITERS})`);
  const form = formOf(valuesFor(partners.fields, 'waiting'), await filesFor(partners));
  const saves = Array.from({ length: 12 }, () => admin.post(partners.endpoints.create, form));
  for (let turn = 0; turn < 3; turn += 1) {
    expect((await admin.get(partners.endpoints.list)).statusCode).toBe(200);
    expect((await page(admin)).changed.partners).toHaveLength(1);
    expect((await app.inject('/readyz')).statusCode).toBe(200);
    expect((await (await client()).signIn()).statusCode).toBe(200);
  }
  await hanging.query('ROLLBACK');
  for (const { statusCode } of await Promise.all(saves)) expect(statusCode).toBe(200);
});
