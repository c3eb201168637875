import {
  CAPABILITIES_PATH,
  type Capabilities,
  CONTRACT_ONLY,
  readCapabilities,
} from '../../domain/protocol/capabilities.ts';
import { type Answer, classify, isServers } from '../../domain/outbox/classify.ts';
import type { Outcome, QueuePause } from '../../domain/outbox/vocabulary.ts';
import type { Environment } from '../storage/environment.ts';
import { ask } from './http.ts';
import type { Sender } from './sender.ts';
import { readMeta, writeMeta } from '../storage/meta.ts';
import { transact } from '../storage/transactions.ts';

/** How long what a server told about itself is believed, in milliseconds. */
const BELIEVED_FOR = 60 * 60_000;

export type Reached = { readonly server: Capabilities } | { readonly fault: Outcome };

/**
 * Which kind of server there is. Asked when it is not known, always after the link was bad, and where the browser says that there
 * is none (it has been wrong): a small GET finds out before megabytes are sent to nobody.
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
  // A page or a refusal instead of an answer: a stock back end that knows no such path, or a captive portal. The user's own path tells.
  const user = await ask(environment, '/api/user', token);
  if (!isServers(user) || user.status === SIGNED_OUT) return { fault: linkFault(user) };
  // or a portal that has let somebody in since: a server with keys must not be taken for one without
  return (await askWhatItIs(environment, known, token)) ?? { server: CONTRACT_ONLY };
}

const SIGNED_OUT = 401;

/** What the server says of itself. Undefined for a page or a refusal: the server may be of another kind. */
async function askWhatItIs(
  environment: Environment,
  known: Capabilities | undefined,
  token: string,
): Promise<Reached | undefined> {
  const answer = await ask(environment, CAPABILITIES_PATH, token);
  if (answer === undefined || answer.redirected || answer.status >= 500 || answer.status === 429) {
    return { fault: linkFault(answer) };
  }
  // an empty body is no answer, least of all that there are no keys
  if (answer.json && answer.status === 200 && answer.body === undefined) return { fault: linkFault(answer) };
  // only a clear "no such path" makes a server that had more, or of which nothing is known, into one that has less
  if (answer.json && answer.status !== 200 && answer.status !== 404) {
    return known?.server === 'voltdesk' ? { server: known } : undefined;
  }
  if (answer.json) return { server: readCapabilities(answer.status, answer.body) };
  return known?.server === 'voltdesk' ? { fault: classify('update', answer) } : undefined;
}

/** A server that cannot even tell what it is holds the whole queue back, whatever it answers. */
function linkFault(answer: Answer | undefined): Outcome {
  const outcome = classify('update', answer);
  if (outcome.kind !== 'uncertain') return outcome;
  return { kind: 'unreachable', message: outcome.message };
}

const HEALTH_PATH = '/healthz';

/** True when the server itself answers at this moment. A stock back end has no path for the question; the user's own tells. */
export async function isServerThere({ environment, session, server }: Sender): Promise<boolean> {
  const path = server.server === 'voltdesk' ? HEALTH_PATH : '/api/user';
  return isServers(await ask(environment, path, session.token));
}
