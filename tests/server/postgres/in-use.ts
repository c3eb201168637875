import { haveAlone } from '../../../server/stores/postgres/alone.ts';

/** True if a server or command stays connected to a database for `patience` milliseconds. */
export async function isInUse(address: string, patience?: number): Promise<boolean> {
  const alone = await haveAlone(address, patience);
  await alone?.release();
  return alone === undefined;
}
