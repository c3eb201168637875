import type { Database } from './tables.ts';

const SECRET_BYTES = 32;

/** A random value of this installation, made at its first use and kept. */
export async function secretOf(db: Database, name: string, randomBytes: (count: number) => Buffer): Promise<Buffer> {
  const value = randomBytes(SECRET_BYTES).toString('hex');
  await db
    .insertInto('secrets')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirstOrThrow();
  return Buffer.from(row.value, 'hex');
}
