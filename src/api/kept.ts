import type { FeedPage } from '../domain/protocol/feed.ts';
import { KEPT_PATH, type KeptAnswer, standingText } from '../domain/protocol/kept.ts';
import * as kept from '../offline/kept/kept.ts';
import { browserEnvironment } from '../offline/storage/browser-environment.ts';
import { useSession } from '../stores/session.ts';
import { ApiFailure } from './failure.ts';
import { get } from './request.ts';
import { wake } from './worker-bridge.ts';
import { t } from '../language/t.ts';

/** The confirmed changes that this device keeps until they are in a backup. Loaded on demand. */

export type { KeptState } from '../offline/kept/kept.ts';
export { keptState } from '../offline/kept/kept.ts';

/** Whose changes were last compared, with which standing of the server. */
let seen = '';

/**
 * Looks at a page of the feed: once the server has another life, or another backup, it is asked about the changes that this
 * device keeps. A failed question is repeated with the next page.
 */
export function noteStanding({ epoch = '', backedUp }: FeedPage): void {
  const { user } = useSession.getState();
  if (user === undefined) return;
  const standing = standingText({ epoch, ...(backedUp === undefined ? {} : { backedUp }) });
  const now = `${user.id} ${standing}`;
  if (now === seen) return;
  seen = now;
  compareWithServer(String(user.id), standing).catch((failure: unknown) => {
    seen = '';
    console.warn('The changes kept on this device were not compared with the server.', failure);
  });
}

/** Asks the server about a user's kept changes. Resolves to how many it has forgotten. Throws ApiFailure. */
async function compareWithServer(administrator: string, standing: string): Promise<number> {
  return kept.compareKept(browserEnvironment(), administrator, standing, async (keys) =>
    answerIn((await get(`${KEPT_PATH}?keys=${keys.join(',')}`)).body),
  );
}

/** Throws ApiFailure for anything else: what a server has not said is not forgotten. */
function answerIn(body: unknown): KeptAnswer {
  const { forgotten, backedUp } = (body ?? {}) as Partial<KeptAnswer>;
  if (Array.isArray(forgotten) && Array.isArray(backedUp)) return { forgotten, backedUp };
  throw new ApiFailure('unreachable', t('This is no answer of the server.'));
}

/** Sends what the server has forgotten again, in order. Resolves to how many changes. Throws StorageFullError. */
export async function sendAgain(administrator: string): Promise<number> {
  const count = await kept.sendAgain(browserEnvironment(), administrator);
  wake();
  return count;
}

/** Lets go what the server has forgotten. */
export function letForgottenGo(administrator: string): Promise<void> {
  return kept.letForgottenGo(browserEnvironment(), administrator);
}

/** The number of a user's kept changes. */
export function countKept(administrator: string): Promise<number> {
  return kept.countKept(browserEnvironment(), administrator);
}

/** Removes what is kept for a user. */
export function removeKept(administrator: string): Promise<void> {
  return kept.removeKept(browserEnvironment(), administrator);
}

/** True if the server has said that there is a backup. */
export function hasBackups(administrator: string): Promise<boolean> {
  return kept.hasBackups(browserEnvironment(), administrator);
}

/** True if other people have left changes on this device. */
export function isSharedDevice(administrator: string): Promise<boolean> {
  return kept.isSharedDevice(browserEnvironment(), administrator);
}
