import { discardAll } from './entry-commands.ts';
import type { Environment } from '../storage/environment.ts';
import { unfinished } from '../storage/outbox-database.ts';
import { transact } from '../storage/transactions.ts';

/** What becomes of waiting changes at sign-out: `keep` for that administrator's return, or `discard` for good. */
export type LeavePolicy = 'keep' | 'discard';

/** How many changes wait for an administrator. */
export async function waitingFor({ outbox }: Environment, administrator: string): Promise<number> {
  const entries = await transact(outbox, 'r', [outbox.entries], () => unfinished(outbox));
  return entries.filter((entry) => entry.administrator === administrator).length;
}

/** Carries out what was decided at sign-out. Kept changes stay as they are: nobody else's session ever sends them. */
export async function leaveQueue(environment: Environment, administrator: string, policy: LeavePolicy): Promise<void> {
  if (policy === 'discard') await discardAll(environment, administrator);
}
