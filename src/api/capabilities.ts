import {
  CAPABILITIES_PATH,
  type Capabilities,
  CONTRACT_ONLY,
  readCapabilities,
} from '../domain/protocol/capabilities.ts';
import { keepAbilities } from '../stores/server-abilities.ts';
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

/** A stock back end answers that there is no such endpoint. */
async function ask(signal: AbortSignal | undefined): Promise<Capabilities | undefined> {
  try {
    return readCapabilities(200, (await get(CAPABILITIES_PATH, undefined, signal)).body);
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    return failure.kind === 'missing' ? CONTRACT_ONLY : undefined;
  }
}
