import type { KeptAnswer } from '../../../src/domain/protocol/kept.ts';
import { KEPT_PATH, standingText } from '../../../src/domain/protocol/kept.ts';
import { feedAddress, type FeedPage } from '../../../src/domain/protocol/feed.ts';
import type { OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import { compareKept, keptState, removeKept, sendAgain } from '../../../src/offline/kept/kept.ts';
import type { ChangeDraft } from '../../../src/offline/outbox/change-draft.ts';
import { enqueue } from '../../../src/offline/outbox/enqueue.ts';
import { pendingEntries, receipts } from '../../../src/offline/outbox/queries.ts';
import { drain } from '../../../src/offline/sender/drain.ts';
import type { Environment } from '../../../src/offline/storage/environment.ts';
import { rememberSession } from '../../../src/offline/storage/session.ts';
import { RestorableServer } from '../../harness/restorable-server.ts';
import { ORIGIN } from './backends.ts';
import { Device } from './device.ts';

/** A tablet of a user whose server may lose its disk. */
export class KeepingDevice {
  readonly server: RestorableServer;
  readonly device: Device;
  readonly page: Environment;
  user = 0;
  #token = '';
  #cursor: string | undefined;

  constructor(server: RestorableServer, overrides: Partial<Environment> = {}) {
    this.server = server;
    this.device = new Device({
      kind: 'own',
      accounts: [],
      handle: (request) => server.handle(request),
      receivedSha256: async () => undefined,
      close: async () => undefined,
    });
    this.page = this.device.environment(overrides);
  }

  /** A user signs in. A restore has ended all sessions. */
  async signIn(user: number): Promise<void> {
    this.user = user;
    this.#token = await this.server.signIn(user);
    await this.device.fetch(`${ORIGIN}/api/user`, { headers: { accept: 'application/json' } });
    await rememberSession(
      { administrator: String(user), name: 'User', token: this.#token, rememberAcrossRestarts: true },
      this.page,
    );
  }

  save(draft: ChangeDraft, title = 'Title'): Promise<OutboxEntry> {
    return enqueue(this.page, draft, { administrator: String(this.user), title });
  }

  /** Sends until nothing can be sent now. */
  async drain(): Promise<void> {
    await drain(this.page);
  }

  /** Saves and sends. Returns the receipt. */
  async make(draft: ChangeDraft): Promise<OutboxEntry> {
    const { id } = await this.save(draft);
    await this.drain();
    const done = (await receipts(this.page)).find((entry) => entry.id === id);
    if (done === undefined)
      throw new Error(`Not sent: ${JSON.stringify((await pendingEntries(this.page))[0]?.reason)}`);
    return done;
  }

  /** Reads the feed and compares. Resolves to how many changes the server has forgotten. */
  async compare(change: (answer: KeptAnswer) => KeptAnswer = (answer) => answer): Promise<number> {
    const { epoch = '', backedUp, cursor } = await this.ask<FeedPage>(feedAddress(this.#cursor));
    this.#cursor = cursor;
    const standing = standingText({ epoch, ...(backedUp === undefined ? {} : { backedUp }) });
    return compareKept(this.page, String(this.user), standing, async (keys) =>
      change(await this.ask<KeptAnswer>(`${KEPT_PATH}?keys=${keys.join(',')}`)),
    );
  }

  kept() {
    return keptState(this.page);
  }

  /** Sends what is forgotten again. `between`: before the first request. */
  async sendAgain(between?: () => Promise<void> | undefined): Promise<number> {
    const count = await sendAgain(this.page, String(this.user));
    await between?.();
    await this.drain();
    return count;
  }

  removeKept(): Promise<void> {
    return removeKept(this.page, String(this.user));
  }

  waiting(): Promise<OutboxEntry[]> {
    return pendingEntries(this.page);
  }

  files(): Promise<number> {
    return this.page.outbox.files.count();
  }

  async ask<T>(path: string): Promise<T> {
    const headers = { accept: 'application/json', authorization: `Bearer ${this.#token}` };
    const response = await this.device.fetch(ORIGIN + path, { headers });
    return (await response.json()) as T;
  }
}
