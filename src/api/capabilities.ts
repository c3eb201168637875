import {
  CAPABILITIES_PATH,
  type Capabilities,
  CONTRACT_ONLY,
  readCapabilities,
} from '../domain/protocol/capabilities.ts';
import { keepAbilities, useServerAbilities } from '../stores/server-abilities.ts';
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
 * A stock back end answers that there is no such endpoint, perhaps with a page. Such a page never counts against a server that is
 * known to be ours: a proxy in front of it has answered.
 */
async function ask(signal: AbortSignal | undefined): Promise<Capabilities | undefined> {
  try {
    return readCapabilities(200, (await get(CAPABILITIES_PATH, undefined, signal)).body);
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    if (failure.kind === 'missing') return CONTRACT_ONLY;
    if (failure.kind !== 'unreachable' || useServerAbilities.getState().server === 'voltdesk') return undefined;
    const { stockServer } = await import('./stock-server.ts').catch(() => ({ stockServer: () => undefined }));
    return stockServer(signal);
  }
}
