import type { OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import { type Capabilities, CONTRACT_ONLY } from '../../../src/domain/protocol/capabilities.ts';
import type { Sender } from '../../../src/offline/sender/sender.ts';
import type { Environment } from '../../../src/offline/storage/environment.ts';
import { writeMeta } from '../../../src/offline/storage/meta.ts';
import { entryOf, type MoreFacts, NOW } from '../../domain/outbox/samples.ts';
import { contractOnlyBackend } from './backends.ts';
import { Device } from './device.ts';
import { json } from './offline-world.ts';

/** The capabilities of this repository's server that a sender uses. */
export const KEYED: Capabilities = {
  ...CONTRACT_ONLY,
  server: 'voltdesk',
  idempotencyKeys: true,
  versions: true,
  changesByKey: true,
};

/** Answers by method and path. Each of several is used once. Any other request gets 404. */
export type Answers = Readonly<Record<string, (() => Response) | readonly (() => Response)[]>>;

/** A sender on a device of its own, with a server that gives only the test's answers. */
export async function senderAtWork(server: Capabilities, answers: Answers = {}, overrides: Partial<Environment> = {}) {
  const device = new Device(contractOnlyBackend());
  device.time = NOW;
  const environment = device.environment(overrides);
  const session = { administrator: '1', name: '', token: 'token', rememberAcrossRestarts: true };
  await writeMeta(environment.outbox, 'lease', { fence: 3, holder: environment.holder, expires: NOW + 60_000 });
  await writeMeta(environment.outbox, 'session', session);
  const sender: Sender = { environment, fence: 3, session, server, travel: undefined, stops: () => false };
  return { device, environment, sender, asked: answering(device, answers) };
}

/** Answers a device's requests like this. Returns the live log of requests sent. */
export function answering(device: Device, answers: Answers): string[] {
  const asked: string[] = [];
  device.wire = async ({ method, url }) => {
    const { pathname, search } = new URL(url);
    const call = `${method} ${pathname}`;
    const before = asked.filter((one) => one.split('?')[0] === call).length;
    asked.push(call + search);
    const answer = answers[call];
    const next = Array.isArray(answer) ? (answer as readonly (() => Response)[])[before] : (answer as () => Response);
    return (next ?? json(404, { message: 'Not found.' }))();
  };
  return asked;
}

/** A change whose attempt was just committed. */
export function onItsWay(change: OutboxEntry['change'], more: MoreFacts = {}): OutboxEntry {
  return entryOf(change, {
    state: 'sending',
    attempts: 1,
    lastAttemptAt: NOW,
    attemptEndsBy: NOW + 30_000,
    ...more,
  });
}

/** A change whose attempt got no conclusive answer. */
export function inDoubt(change: OutboxEntry['change'], more: MoreFacts = {}): OutboxEntry {
  return onItsWay(change, { state: 'pending', delivery: ['attempt'], ...more });
}
