import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { CAPABILITIES_PATH } from '../src/domain/protocol/capabilities.ts';
import { databaseProblem, unusableReason } from './faults.ts';
import { steadyClock } from './shared/steady-clock.ts';
import type { Storage } from './uploads/storage.ts';

/** Explains why this server is not ready. Undefined if it is. */
export type Readiness = () => Promise<string | undefined>;

/** Readiness of a server with its own database (`ask` rejects if that does not answer) and enough disk space for another upload. */
export function ownReadiness(ask: () => Promise<unknown>, storage: Storage): Readiness {
  return async () => {
    const fault = await ask().then(() => undefined, databaseFault);
    if (fault !== undefined) return fault;
    if (!(await worked(access(storage.folder, constants.W_OK)))) return 'The uploads folder cannot be written to.';
    const { bavail, bsize } = await statfs(storage.folder);
    return bavail * bsize < storage.limits.maxRequestBytes ? 'The disk is too full for another upload.' : undefined;
  };
}

/** Milliseconds. */
const ASKED_AT_MOST_EVERY = 1000;
const ANSWER_TIME = 2000;

/**
 * Readiness of a gateway, which is that of its back end. Asks the back end at most once a second, with a time-out of two
 * seconds. Any answer below 500 counts: a stock back end has no capabilities and answers 404, which creates no session.
 */
export function backEndReadiness(apiUrl: string, now = steadyClock(undefined), answerTime = ANSWER_TIME): Readiness {
  let last: { readonly at: number; readonly reason: Promise<string | undefined> } | undefined;
  return () => {
    if (last === undefined || now() - last.at >= ASKED_AT_MOST_EVERY) {
      last = { at: now(), reason: askBackEnd(apiUrl + CAPABILITIES_PATH, answerTime) };
    }
    return last.reason;
  };
}

async function askBackEnd(address: string, answerTime: number): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(answerTime);
    const { status, body } = await fetch(address, {
      signal,
      redirect: 'manual',
      headers: { accept: 'application/json' },
    });
    await body?.cancel();
    return status < 500 ? undefined : `The back end answers with an error (${status}).`;
  } catch (error) {
    const isSilent = error instanceof Error && error.name === 'TimeoutError';
    return isSilent ? 'The back end does not answer.' : 'The back end cannot be reached.';
  }
}

function databaseFault(error: object): string {
  return unusableReason(error) ?? databaseProblem(error) ?? 'The database cannot be used.';
}

async function worked(task: Promise<unknown>): Promise<boolean> {
  return task.then(
    () => true,
    () => false,
  );
}
