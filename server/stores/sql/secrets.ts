import type { Database } from './tables.ts';

const SECRET_BYTES = 32;

/** A random value of this installation, created and stored on first use. */
export async function secretOf(db: Database, name: string, randomBytes: (count: number) => Buffer): Promise<Buffer> {
  const kept = await db.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst();
  if (kept !== undefined) return Buffer.from(kept.value, 'hex');
  const value = randomBytes(SECRET_BYTES);
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('secrets')
    .values({ name, value: value.toString('hex') })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  // another process was faster
  return numInsertedOrUpdatedRows === 1n ? value : secretOf(db, name, randomBytes);
}
