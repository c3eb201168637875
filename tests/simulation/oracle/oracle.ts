import { isDeepStrictEqual } from 'node:util';
import type { OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import type { FormDraftFile, FormDraftRow } from '../../../src/offline/storage/drafts-database.ts';
import { DRAFTS } from '../world/environment.ts';
import type { World } from '../world/world.ts';
import { checkCarriedOut, checkCreatesOnce, checkFiles } from './carried-out.ts';
import { Evidence } from './evidence.ts';
import { checkNothingOverwritten, checkNothingUnseen, checkOrder } from './in-order.ts';
import type { Schedule } from '../scenario/schedule.ts';
import type { Ledger } from './ledger.ts';
import { checkArrivals, checkReceipts, checkSaidGone } from './truthful.ts';

/** Errors of a device with a full storage, and of buttons pressed too late. */
const EXPECTED = /StorageFullError|no longer refused/;
/** Errors of a device whose storage is held by a frozen page. */
const WHERE_FROZEN = /StorageStalledError/;

/** The promises of the outbox, checked against what was saved and what the server did. */
export class Oracle {
  readonly failures: string[] = [];
  readonly #world: World;
  readonly #ledger: Ledger;

  readonly #mayStall: boolean;

  constructor(world: World, ledger: Ledger, { events }: Pick<Schedule, 'events'>) {
    this.#world = world;
    this.#ledger = ledger;
    this.#mayStall = events.some(({ what }) => what.startsWith('frozen'));
  }

  /** What was reported as saved is stored. Checked after every kill of a page or the worker. */
  checkStored(): void {
    this.#checkDrafts();
    const present = new Set(this.#world.device.entries().map(({ id }) => id));
    for (const change of this.#ledger.changes) {
      if (change.fate !== 'kept' || change.entryId === undefined || present.has(change.entryId)) continue;
      // A delete makes unsent changes of its record irrelevant.
      if (this.#ledger.deletedAfter(change)) continue;
      this.#fail(`lost: change ${change.number} (${change.op} ${change.record}) was saved and is not in the outbox`);
    }
  }

  /** A draft is available to the user who typed it, and none of it was sent anywhere. */
  #checkDrafts(): void {
    const { storage } = this.#world.device;
    for (const [whose, { key, possible, isKept }] of this.#ledger.drafts) {
      if (!isKept) continue;
      const row = storage.rows<FormDraftRow>(DRAFTS, 'drafts').find((one) => one.key === key);
      const photos = storage.rows<FormDraftFile>(DRAFTS, 'files').map((file) => file.key);
      if (row === undefined) this.#fail(`lost: the form of ${whose} was left half filled and is not kept`);
      else if (!possible.some((values) => isDeepStrictEqual(values, row.values)))
        this.#fail(`mixed: the form of ${whose} holds what was not typed into it`);
      else if (!row.fileKeys.every((file) => photos.includes(file)))
        this.#fail(`lost: a photo of the form of ${whose}`);
    }
  }

  /** All other checks, for a drained queue. */
  async checkAll(): Promise<void> {
    const fail = (text: string) => this.#fail(text);
    this.checkStored();
    this.#checkDrained();
    this.#checkLeftAlone();
    const evidence = await Evidence.of(this.#world, this.#ledger);
    for (const change of this.#ledger.changes) {
      checkCarriedOut(evidence, change, fail);
      checkFiles(evidence, change, fail);
    }
    checkCreatesOnce(evidence, fail);
    checkArrivals(evidence, fail);
    checkOrder(evidence, fail);
    checkNothingOverwritten(evidence, fail);
    checkNothingUnseen(evidence, fail);
    checkReceipts(evidence, fail);
    checkSaidGone(evidence, fail);
    this.#checkOddities();
    for (const user of this.#ledger.savedAfterLogOut) fail(`named: saved for user ${user}, who had logged out`);
    const { server } = this.#world;
    for (const text of await this.#world.really(async () => (await server.broken?.()) ?? [])) fail(text);
  }

  #checkOddities(): void {
    for (const oddity of this.#world.device.oddities) {
      if (EXPECTED.test(oddity) || (this.#mayStall && WHERE_FROZEN.test(oddity))) continue;
      this.#fail(`odd: ${oddity}`);
    }
  }

  #fail(text: string): void {
    if (!this.failures.includes(text)) this.failures.push(text);
  }

  #checkDrained(): void {
    for (const entry of this.#world.device.entries()) {
      if (entry.state === 'done' || entry.schema >= 99) continue;
      this.#fail(`stuck: ${entry.change.op} is still ${entry.state} (${entry.reason?.code}: ${entry.reason?.message})`);
    }
  }

  /** Entries of a newer version of the app are unchanged. */
  #checkLeftAlone(): void {
    const now = new Map(this.#world.device.entries().map((entry) => [entry.sequence, entry]));
    for (const [sequence, written] of this.#ledger.unreadable) {
      const before = JSON.parse(written) as OutboxEntry;
      if (!isDeepStrictEqual(JSON.parse(JSON.stringify(now.get(sequence) ?? {})), before))
        this.#fail(`touched: ${before.id}`);
    }
  }
}
