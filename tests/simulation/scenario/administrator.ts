import type { OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import type { ResourceName } from '../../../src/domain/resource.ts';
import { forgetSession, rememberSession } from '../../../src/offline/storage/session.ts';
import { leaveQueue } from '../../../src/offline/outbox/entry-commands.ts';
import type { Ledger } from '../oracle/ledger.ts';
import type { Random } from '../world/random.ts';
import type { StoredRecord } from '../servers/server.ts';
import type { World } from '../world/world.ts';
import { OutboxScreen } from './outbox-screen.ts';
import { Carrier } from './carrier.ts';
import { Drafts } from './drafts.ts';
import { Editor } from './editor.ts';
import { Actor, type Hurry } from './actor.ts';

/** The user of the device, and all their actions through the outbox's own interface. */
export class Administrator {
  readonly editor: Editor;
  readonly outboxScreen: OutboxScreen;
  readonly carrier: Carrier;
  readonly drafts: Drafts;
  readonly #actor: Actor;
  /** Of the last sign-in. */
  #token = '';

  constructor(world: World, ledger: Ledger, hurry: Hurry) {
    this.#actor = new Actor(world, ledger, hurry);
    this.editor = new Editor(this.#actor);
    this.outboxScreen = new OutboxScreen(this.#actor);
    this.carrier = new Carrier(this.#actor);
    this.drafts = new Drafts(this.#actor);
  }

  /** The signed-in user. */
  get signedIn(): string | undefined {
    return this.#actor.signedIn;
  }

  /** True while an action in a page is unfinished. */
  get isBusy(): boolean {
    return !this.#actor.isIdle;
  }

  /** The pending changes of the signed-in user. */
  waiting(): OutboxEntry[] {
    return this.#actor.waiting();
  }

  async signIn(user: string): Promise<void> {
    const token = await this.#actor.world.really(() => this.#actor.world.signIn(user));
    this.#actor.signedIn = user;
    this.#actor.loggedOut.delete(user);
    this.#token = token;
    this.#actor.do(async ({ environment }) => {
      await rememberSession({ administrator: user, name: user, token, rememberAcrossRestarts: true }, environment);
    });
  }

  signOut(random: Random): void {
    const user = this.#actor.signedIn;
    if (user === undefined) return;
    const policy = random.chance(0.85) ? 'keep' : 'discard';
    this.#actor.signedIn = undefined;
    const token = this.#token;
    this.#actor.do(async ({ environment }) => {
      if (policy === 'discard') this.#actor.ledger.giveUp(this.#actor.waiting(user).map(({ id }) => id));
      await leaveQueue(environment, user, policy);
      if (policy === 'discard') this.#actor.ledger.unreadable.clear();
      await forgetSession(environment);
      this.#actor.world.loggedOut.set(token, this.#actor.world.scheduler.now);
      if (this.#actor.signedIn !== user) this.#actor.loggedOut.add(user);
    });
  }

  /** The device has lost its storage and every page is gone. */
  wiped(): void {
    this.editor.wiped();
    this.#actor.loggedOut.clear();
  }

  /** The rows that someone elsewhere works on. Real work. */
  rowsElsewhere(resource: ResourceName): Promise<readonly StoredRecord[]> {
    return this.#actor.otherRows(resource);
  }

  /** A user who has logged out and not signed in again. */
  get gone(): string | undefined {
    return [...this.#actor.loggedOut][0];
  }
}
