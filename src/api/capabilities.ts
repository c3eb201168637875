import {
  CAPABILITIES_PATH,
  type Capabilities,
  CONTRACT_ONLY,
  readCapabilities,
} from '../domain/protocol/capabilities.ts';
import { keepAbilities, useServerAbilities } from '../stores/server-abilities.ts';
import { useSession } from '../stores/session.ts';
import { ApiFailure } from './failure.ts';
import { get } from './request.ts';

/**
 * Fetches the server's capabilities and stores those that screens depend on. Returns undefined without a usable answer. The
 * sender asks separately and more carefully (`server-kind.ts`), because its result decides whether a change may be sent
 * twice.
 */
export async function refreshCapabilities(signal?: AbortSignal): Promise<Capabilities | undefined> {
  const told = await ask(signal);
  if (told !== undefined) keepAbilities(told);
  return told;
}

/**
 * A stock back end answers that there is no such endpoint, perhaps with a page. A proxy in front of a server that is away does so
 * too, so a page counts only if the user's own path answers, and never against a server that is known to be ours.
 */
async function ask(signal: AbortSignal | undefined): Promise<Capabilities | undefined> {
  const told = await askOnce(signal);
  if (told !== 'no answer') return told;
  if (useServerAbilities.getState().server === 'voltdesk' || !(await answersUser(signal))) return undefined;
  // a restart may just have ended
  const again = await askOnce(signal);
  return again === 'no answer' ? CONTRACT_ONLY : again;
}

async function askOnce(signal: AbortSignal | undefined): Promise<Capabilities | undefined | 'no answer'> {
  try {
    return readCapabilities(200, (await get(CAPABILITIES_PATH, undefined, signal)).body);
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    if (failure.kind === 'missing') return CONTRACT_ONLY;
    return failure.kind === 'unreachable' ? 'no answer' : undefined;
  }
}

async function answersUser(signal: AbortSignal | undefined): Promise<boolean> {
  if (useSession.getState().token === undefined) return false;
  try {
    await get('/api/user', undefined, signal);
    return true;
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    return false;
  }
}
