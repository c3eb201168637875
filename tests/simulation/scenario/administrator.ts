import type { OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import { forgetSession, rememberSession } from '../../../src/offline/storage/session.ts';
import { leaveQueue } from '../../../src/offline/outbox/entry-commands.ts';
import type { Ledger } from '../oracle/ledger.ts';
import type { Random } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { Attendant } from './attendant.ts';
import { Carrier } from './carrier.ts';
import { Drafts } from './drafts.ts';
import { Editor } from './editor.ts';
import { Hands } from './hands.ts';

/** Who sits at the device, and everything they do there through the outbox's own doors. */
export class Administrator {
  readonly editor: Editor;
  readonly attendant: Attendant;
  readonly carrier: Carrier;
  readonly drafts: Drafts;
  readonly #hands: Hands;

  constructor(world: World, ledger: Ledger, hurry: () => void) {
    this.#hands = new Hands(world, ledger, hurry);
    this.editor = new Editor(this.#hands);
    this.attendant = new Attendant(this.#hands);
    this.carrier = new Carrier(this.#hands);
    this.drafts = new Drafts(this.#hands);
  }

  /** The one who is signed in. */
  get signedIn(): string | undefined {
    return this.#hands.signedIn;
  }

  /** True while something that was begun in a page is not finished. */
  get isBusy(): boolean {
    return !this.#hands.areEmpty;
  }

  /** What waits, of the one who is signed in. */
  waiting(): OutboxEntry[] {
    return this.#hands.waiting();
  }

  async signIn(user: string): Promise<void> {
    const token = await this.#hands.world.really(() => this.#hands.world.signIn(user));
    this.#hands.signedIn = user;
    this.#hands.do(async ({ environment }) => {
      await rememberSession({ administrator: user, name: user, token, rememberAcrossRestarts: true }, environment);
    });
  }

  signOut(random: Random): void {
    const user = this.#hands.signedIn;
    if (user === undefined) return;
    const policy = random.chance(0.85) ? 'keep' : 'discard';
    this.#hands.signedIn = undefined;
    this.#hands.do(async ({ environment }) => {
      if (policy === 'discard') this.#hands.ledger.giveUp(this.#hands.waiting(user).map(({ id }) => id));
      await leaveQueue(environment, user, policy);
      if (policy === 'discard') this.#hands.ledger.unreadable.clear();
      await forgetSession(environment);
    });
  }
}
