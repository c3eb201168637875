import type { OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import type { ResourceName } from '../../../src/domain/resource.ts';
import type { DraftAbout } from '../../../src/offline/outbox/change-draft.ts';
import { StorageStalledError } from '../../../src/offline/storage/errors.ts';
import type { PickedFile } from '../../../src/offline/storage/files.ts';
import type { GivenFile, Ledger } from '../oracle/ledger.ts';
import type { StoredRecord } from '../servers/server.ts';
import type { Page } from '../world/device.ts';
import type { Random } from '../world/random.ts';
import type { Lane } from '../world/scheduler.ts';
import type { World } from '../world/world.ts';
import { picked } from './subjects.ts';

/** Of consecutive photos, one in this many equals the one before. */
const EQUAL_EVERY = 4;

/** Called when waits are ended by hand in a page. Returns a function to call when that is over. */
export type Hurry = (page: Lane) => () => void;

/** What all actions of an administrator share: who is signed in, the page in use, the files. */
export class Actor {
  readonly world: World;
  readonly ledger: Ledger;
  readonly #hurry: Hurry;
  /** The signed-in user, as the pages show it. */
  signedIn: string | undefined;
  /** Users who have logged out and not signed in again. */
  readonly loggedOut = new Set<string>();
  readonly #doing = new WeakMap<Page, Promise<void>>();
  /** The number of unfinished actions per page. */
  readonly #unfinished = new WeakMap<Page, number>();

  constructor(world: World, ledger: Ledger, hurry: Hurry) {
    this.world = world;
    this.ledger = ledger;
    this.#hurry = hurry;
  }

  /** The pending changes of the signed-in user or another one. */
  waiting(user = this.signedIn): OutboxEntry[] {
    return this.world.device
      .entries()
      .filter(({ state, administrator, schema }) => state !== 'done' && administrator === user && schema < 99);
  }

  /** The server's rows, without those that someone elsewhere created with the texts of a record made here. Real work. */
  async otherRows(resource: ResourceName): Promise<readonly StoredRecord[]> {
    const rows = await this.world.server.stored(resource);
    return rows.filter(({ record }) => !this.ledger.equalRows.has(`${resource}/${record.id}`));
  }

  /** True if all actions are finished in the pages that still live. */
  get isIdle(): boolean {
    return this.world.device.pages.every((page) => (this.#unfinished.get(page) ?? 0) === 0);
  }

  about(random: Random, more: Partial<DraftAbout> = {}): DraftAbout {
    return { administrator: this.signedIn ?? '', title: `change ${random.below(100)}`, ...more };
  }

  files(fields: readonly string[]): (readonly [PickedFile, GivenFile])[] {
    const given: (readonly [PickedFile, GivenFile])[] = [];
    for (const field of fields) {
      const before = given.at(-1);
      // Sometimes the same photo is picked twice.
      const again = field === 'images' && before?.[0].field === field && this.world.mark() % EQUAL_EVERY === 0;
      given.push(again && before !== undefined ? before : this.file(field));
    }
    return given;
  }

  file(field: string): readonly [PickedFile, GivenFile] {
    const sample = this.world.nextFile(field);
    this.ledger.picked.add(sample.sha256);
    return [picked(field, sample), { field, sha256: sample.sha256 }];
  }

  /** Like `do`, for an action that ends waits by hand. It may have to wait for the storage first. */
  hurryTo(work: (page: Page) => Promise<unknown>): void {
    const page = this.#page();
    const over = this.#hurry(page.lane);
    this.do((one) => work(one).finally(over));
  }

  #page(): Page {
    return this.world.device.pages.at(-1) ?? this.world.device.openPage();
  }

  /** Runs an action in a page, which may be killed in the middle of it. A person does one thing after the other. */
  do(work: (page: Page) => Promise<unknown>): void {
    const { device, scheduler } = this.world;
    const page = this.#page();
    const count = (change: number) => this.#unfinished.set(page, (this.#unfinished.get(page) ?? 0) + change);
    count(1);
    scheduler.soon(() => {
      const before = this.#doing.get(page) ?? Promise.resolve();
      const done = before
        .then(() => work(page))
        .then(() => device.wake(page))
        .catch((failure: unknown) => {
          // The screen shows it, and the person may try again.
          if (failure instanceof StorageStalledError) return;
          if (page.lane.alive) device.oddities.push(`${page.lane.name}: ${String(failure)}`);
        })
        .finally(() => count(-1));
      this.#doing.set(page, done);
    }, page.lane);
  }
}
