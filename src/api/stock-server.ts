import {
  CAPABILITIES_PATH,
  type Capabilities,
  CONTRACT_ONLY,
  readCapabilities,
} from '../domain/protocol/capabilities.ts';
import { useSession } from '../stores/session.ts';
import { ApiFailure } from './failure.ts';
import { get } from './request.ts';

/**
 * Tells a stock back end, which may answer an unknown path with a page, from a proxy whose server is away: only with the first
 * does the user's own path answer. Undefined if nothing can be told.
 */
export async function stockServer(signal: AbortSignal | undefined): Promise<Capabilities | undefined> {
  if (useSession.getState().token === undefined || !('body' in (await asked('/api/user', signal)))) return undefined;
  // asked again: a restart may just have ended
  const answer = await asked(CAPABILITIES_PATH, signal);
  if ('body' in answer) return readCapabilities(200, answer.body);
  return answer.kind === 'unreachable' || answer.kind === 'missing' ? CONTRACT_ONLY : undefined;
}

async function asked(path: string, signal: AbortSignal | undefined) {
  try {
    return await get(path, undefined, signal);
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    return failure;
  }
}
