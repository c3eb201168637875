import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { CAPABILITIES_PATH } from '../../src/domain/protocol/capabilities.ts';
import { databaseProblem, unusableReason } from '../errors/faults.ts';
import { steadyClock } from '../shared/steady-clock.ts';
import type { Storage } from '../uploads/storage.ts';

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
 * seconds. Any answer below 500 counts, but a page with 200: a stock back end has no capabilities and answers 404, which
 * creates no session.
 */
export function backEndReadiness(apiUrl: string, now = steadyClock(undefined), answerTime = ANSWER_TIME): Readiness {
  let last: { readonly at: number; readonly reason: Promise<string | undefined> } | undefined;
  return () => {
    if (last === undefined || now() - last.at >= ASKED_AT_MOST_EVERY) {
      last = { at: now(), reason: askBackEnd(apiUrl, answerTime) };
    }
    return last.reason;
  };
}

const NO_JSON = 'The back end answers with pages instead of JSON. Is API_URL its address?';

async function askBackEnd(apiUrl: string, answerTime: number): Promise<string | undefined> {
  const ask = async (path: string) => {
    const headers = { accept: 'application/json', 'x-requested-with': 'XMLHttpRequest' };
    const answer = await fetch(apiUrl + path, { signal: AbortSignal.timeout(answerTime), redirect: 'manual', headers });
    await answer.body?.cancel();
    return answer;
  };
  try {
    const answer = await ask(CAPABILITIES_PATH);
    if (answer.status >= 500) return `The back end answers with an error (${answer.status}).`;
    // a site may show its page at every address that it does not know
    if (isPage(answer) && isPage(await ask('/api/user'))) return NO_JSON;
    return undefined;
  } catch (error) {
    const isSilent = error instanceof Error && error.name === 'TimeoutError';
    return isSilent
      ? 'The back end does not answer.'
      : (certificateProblem(error) ?? 'The back end cannot be reached.');
  }
}

function isPage({ status, headers }: Response): boolean {
  return status === 200 && !/[/+]json\b/i.test(headers.get('content-type') ?? '');
}

/** What is wrong with the certificate of a back end, in words. Undefined if that is not why it cannot be reached. */
function certificateProblem(error: unknown): string | undefined {
  const { code } = ((error as Error).cause ?? {}) as { readonly code?: unknown };
  if (typeof code !== 'string' || !/CERT|SELF_SIGNED|VERIFY/.test(code)) return undefined;
  const advice = /EXPIRED|NOT_YET|ALTNAME/.test(code) ? 'Renew it.' : 'Name its authority in NODE_EXTRA_CA_CERTS.';
  return `The certificate of the back end is not trusted (${code}). ${advice}`;
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
