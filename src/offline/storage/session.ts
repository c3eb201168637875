import { browserEnvironment } from './browser-environment.ts';
import type { Environment } from './environment.ts';
import { readMeta, type Session, writeMeta } from './meta.ts';
import { transact } from './outbox-database.ts';

export type { Session } from './meta.ts';

/** Keeps the session where the worker finds it. A pause that waited for a sign-in ends. */
export async function rememberSession(session: Session, { outbox }: Environment = browserEnvironment()): Promise<void> {
  await transact(outbox, 'rw', [outbox.meta], async () => {
    await writeMeta(outbox, 'session', session);
    const pause = await readMeta(outbox, 'pause');
    if (pause?.cause === 'signed-out') await writeMeta(outbox, 'pause', undefined);
  });
}

/** Takes the session away: nothing is sent until someone signs in. What waits stays. */
export async function forgetSession({ outbox }: Environment = browserEnvironment()): Promise<void> {
  await transact(outbox, 'rw', [outbox.meta], () => writeMeta(outbox, 'session', undefined));
}

/** The sender's copy of the session, undefined when there is none. */
export async function rememberedSession({ outbox }: Environment = browserEnvironment()): Promise<Session | undefined> {
  return transact(outbox, 'r', [outbox.meta], () => readMeta(outbox, 'session'));
}
