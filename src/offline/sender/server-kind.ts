import {
  CAPABILITIES_PATH,
  type Capabilities,
  CONTRACT_ONLY,
  readCapabilities,
} from '../../domain/protocol/capabilities.ts';
import { type Answer, classify, FOREIGN, isServers } from '../../domain/outbox/classify.ts';
import type { Outcome, QueuePause } from '../../domain/outbox/vocabulary.ts';
import type { Environment } from '../storage/environment.ts';
import { ask } from './http.ts';
import type { Sender } from './sender.ts';
import { readMeta, writeMeta } from '../storage/meta.ts';
import { transact } from '../storage/transactions.ts';

/** How long capabilities stay valid. Milliseconds. */
const BELIEVED_FOR = 60 * 60_000;

export type Reached = { readonly server: Capabilities } | { readonly fault: Outcome };

/**
 * Finds out which kind of server is in reach. Asks if that is unknown, after every link fault, and while the browser claims to
 * be offline (it has been wrong): a small GET decides before megabytes are sent in vain.
 */
export async function reachServer(
  environment: Environment,
  pause: QueuePause | undefined,
  token: string,
): Promise<Reached> {
  const { outbox, now, online } = environment;
  const known = await transact(outbox, 'r', [outbox.meta], () => readMeta(outbox, 'capabilities'));
  const fresh = known !== undefined && now() >= known.at && now() - known.at < BELIEVED_FOR;
  if (known !== undefined && fresh && online() && pause?.cause !== 'unreachable') return { server: known.told };
  const reached = await inquire(environment, known?.told, token);
  if ('server' in reached) {
    const told = { at: now(), told: reached.server };
    await transact(outbox, 'rw', [outbox.meta], () => writeMeta(outbox, 'capabilities', told));
  }
  return reached;
}

async function inquire(environment: Environment, known: Capabilities | undefined, token: string): Promise<Reached> {
  const told = await askWhatItIs(environment, known, token);
  if (told !== undefined) return told;
  // A page or a refusal: a stock back end without this path, or a captive portal. The current-user request tells them apart.
  const user = await ask(environment, '/api/user', token);
  if (!isServers(user) || user.status === SIGNED_OUT) return { fault: linkFault(user) };
  // or a portal that has just let the user in: a server with keys must not be taken for one without
  return (await askWhatItIs(environment, known, token)) ?? { server: CONTRACT_ONLY };
}

const SIGNED_OUT = 401;

/** What the server says about itself. Undefined for a page or a refusal: it may be another kind of server. */
async function askWhatItIs(
  environment: Environment,
  known: Capabilities | undefined,
  token: string,
): Promise<Reached | undefined> {
  const answer = await ask(environment, CAPABILITIES_PATH, token);
  if (answer === undefined || answer.redirected || answer.status >= 500 || answer.status === 429) {
    return { fault: linkFault(answer) };
  }
  // an empty body must not be read as "no idempotency keys"
  if (answer.json && answer.status === 200 && answer.body === undefined) return { fault: linkFault(answer) };
  const isKnown = known?.server === 'voltdesk';
  // only a clear "no such path" may downgrade a known server or classify an unknown one
  if (!isServers(answer)) return isKnown ? { fault: FOREIGN } : undefined;
  if (answer.status !== 200 && answer.status !== 404) return isKnown ? { server: known } : undefined;
  const isOfAnother = answer.status === 200 && (answer.body as { server?: unknown } | null)?.server === undefined;
  return isKnown && isOfAnother ? { fault: FOREIGN } : { server: readCapabilities(answer.status, answer.body) };
}

/** A server that cannot report its kind pauses the whole queue, whatever it answers. */
function linkFault(answer: Answer | undefined): Outcome {
  const outcome = classify('update', answer);
  if (outcome.kind !== 'uncertain') return outcome;
  return { kind: 'unreachable', message: outcome.message };
}

const HEALTH_PATH = '/healthz';

/** True if the server itself answers now. A stock back end has no health path, so the current-user request decides. */
export async function isServerThere({ environment, session, server }: Sender): Promise<boolean> {
  const path = server.server === 'voltdesk' ? HEALTH_PATH : '/api/user';
  return isServers(await ask(environment, path, session.token));
}
