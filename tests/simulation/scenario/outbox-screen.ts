import { compare } from '../../../src/domain/outbox/conflict.ts';
import { statusOf } from '../../../src/domain/outbox/status.ts';
import type { OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import type { Values } from '../../../src/domain/validate.ts';
import { UNSETTLED } from '../../../src/domain/protocol/unsettled.ts';
import * as actions from '../../../src/offline/outbox/entry-commands.ts';
import type { ChangeDraft } from '../../../src/offline/outbox/change-draft.ts';
import type { PickedFile } from '../../../src/offline/storage/files.ts';
import { openFile } from '../../../src/offline/storage/files.ts';
import { repair } from '../../../src/offline/page-saves.ts';
import { createBehind, type GivenFile, type SavedChange } from '../oracle/ledger.ts';
import type { Random } from '../world/random.ts';
import type { Actor } from './actor.ts';
import { subjectOf } from './subjects.ts';

/** A file of a change whose form is open: its hash, and the file picked in its place if it was lost. */
interface Attached {
  readonly sha256: string;
  readonly anew: GivenFile | undefined;
}

/** The Outbox screen: all actions on pending changes. */
export class OutboxScreen {
  readonly #actor: Actor;

  constructor(actor: Actor) {
    this.#actor = actor;
  }

  undo(): void {
    const entry = this.#actor.waiting().findLast(({ change }) => change.op === 'delete');
    if (entry === undefined) return;
    this.#actor.do(async ({ environment, lane }) => {
      const undone = await actions.undo(environment, entry.id);
      if (undone && lane.alive) this.#actor.ledger.undo(entry.id);
      // Shown or not, it may have been taken back.
      else if (undone || !lane.alive) this.#actor.ledger.giveUp([entry.id]);
    });
  }

  sendNow(): void {
    this.#actor.hurryTo(({ environment }) => actions.sendNow(environment));
  }

  /** Handles every change that needs attention. If `patient`, retries rather than discards. */
  attend(random: Random, patient = false): void {
    const entries = this.#actor.waiting();
    for (const entry of entries) {
      if (statusOf(entry) === 'conflict') this.#decide(entry, random, patient);
      if (statusOf(entry) === 'refused') this.#repairOrRetry(entry, random, patient);
      if (entry.reason?.code === UNSETTLED) this.#settle(entry);
    }
  }

  /** The administrator looks at the server and says whether the change is there. */
  #settle(entry: OutboxEntry): void {
    const { world } = this.#actor;
    this.#actor.hurryTo(async ({ environment }) => {
      await world.really(async () => {
        const id = await this.#whereItIs(entry);
        const decided = id === undefined ? ({ decision: 'give-up' } as const) : ({ decision: 'there', id } as const);
        await world.server.decide?.(entry.administrator, entry.idempotencyKey, decided);
      });
      await actions.sendNow(environment);
    });
  }

  /** The record that a change made, or edited in part. Undefined if nothing of it can be seen. */
  async #whereItIs({ change }: OutboxEntry): Promise<number | undefined> {
    const { world } = this.#actor;
    if (!('values' in change) || change.resource === 'site-meta') return undefined;
    const { identity } = subjectOf(change.resource);
    const claimed = world.device
      .entries()
      .flatMap(({ change: other, receipt }) =>
        other.op === 'create' && other.resource === change.resource ? (receipt?.serverId ?? []) : [],
      );
    const hashes = change.files.map(({ sha256 }) => sha256);
    const found = (await this.#actor.otherRows(change.resource)).find(({ record, images, files }) =>
      change.op === 'create'
        ? record[identity] === change.values[identity] && !claimed.includes(record.id)
        : String(record.id) === change.recordId &&
          [...images.map(({ sha256 }) => sha256), ...Object.values(files)].some((one) => hashes.includes(one)),
    );
    return found?.record.id;
  }

  #decide(entry: OutboxEntry, random: Random, patient: boolean): void {
    const theirs = entry.conflict?.theirs;
    if (theirs === undefined) return;
    if (!patient && random.chance(0.2)) return this.#discard(entry);
    const { conflicts, merged } = compare(entry.change, theirs);
    const chosen: Record<string, string> = { ...merged };
    const own = this.#changesIn(entry);
    for (const change of own) change.seenAt = this.#actor.world.scheduler.now;
    for (const field of conflicts) {
      const mine = random.chance(0.5);
      if (!mine && theirs.values[field] !== undefined) chosen[field] = theirs.values[field];
      for (const change of own) (mine ? change.decided : change.overruled).add(field);
    }
    this.#actor.do(({ environment }) => actions.resolve(environment, entry.id, chosen));
  }

  #repairOrRetry(entry: OutboxEntry, random: Random, patient: boolean): void {
    const code = entry.reason?.code;
    if (code === 'several-candidates') return this.#sayWhichOne(entry);
    if (code === 'gone')
      for (const { record } of this.#actor.ledger.in(entry.id)) this.#actor.ledger.saidGone.add(record);
    if (code === 'gone' || (!patient && random.chance(0.1))) return this.#discard(entry);
    if (code === 'file-lost' || entry.reason?.status === 422) return this.#repair(entry, random);
    if (random.chance(0.3) && 'values' in entry.change) return this.#repair(entry, random);
    this.#actor.hurryTo(({ environment }) => actions.retry(environment, entry.id));
  }

  /**
   * The administrator looks at the server for a row with the name of this create that no other change has claimed. The
   * question shows the names, so nobody mistakes another record for this one.
   */
  #sayWhichOne(entry: OutboxEntry): void {
    const named = this.#rowsNamedBy(entry.change);
    const claimed = this.#actor.world.device.entries().flatMap(({ change, receipt }) => {
      const isSameKind =
        change.op === 'create' && entry.change.op === 'create' && change.resource === entry.change.resource;
      return isSameKind ? (receipt?.serverId ?? []) : [];
    });
    const id = entry.candidates?.find((candidate) => named.includes(candidate) && !claimed.includes(candidate));
    this.#actor.hurryTo(({ environment }) =>
      id === undefined ? actions.retry(environment, entry.id) : actions.adopt(environment, entry.id, id),
    );
  }

  /** Ids of the rows that were created under the name of a create. Names are never edited. */
  #rowsNamedBy(change: OutboxEntry['change']): (number | undefined)[] {
    if (change.op !== 'create') return [];
    const { identity } = subjectOf(change.resource);
    const made = this.#actor.world.arrivals.filter(
      ({ op, resource, id }) =>
        op === 'create' && resource === change.resource && !this.#actor.ledger.equalRows.has(`${resource}/${id}`),
    );
    return made.filter(({ values }) => values[identity] === change.values[identity]).map(({ id }) => id);
  }

  #discard(entry: OutboxEntry): void {
    this.#actor.do(async ({ environment }) => {
      const others = await actions.discardedWith(environment, entry.id);
      this.#actor.ledger.giveUp([entry.id, ...this.#createBehind(entry), ...others.map(({ id }) => id)]);
      await actions.discard(environment, entry.id);
    });
  }

  /** Opens the form of a refused change, repairs and saves it. Lost files are picked again. */
  #repair(entry: OutboxEntry, random: Random): void {
    const { change } = entry;
    if (!('values' in change)) return this.#actor.hurryTo(({ environment }) => actions.retry(environment, entry.id));
    const repaired: Record<string, string> = { ...change.values };
    if (change.resource !== 'site-meta') {
      const { invalid, edited } = subjectOf(change.resource);
      const write = invalid === undefined ? undefined : edited[invalid[0]];
      if (invalid !== undefined && write !== undefined && repaired[invalid[0]] === invalid[1])
        repaired[invalid[0]] = write(this.#actor.world.mark());
    }
    this.#actor.hurryTo(async ({ environment, lane }) => {
      const attached: Attached[] = [];
      const files: PickedFile[] = [];
      for (const reference of change.files) {
        const { field, name, type, sha256 } = reference;
        const blob = await openFile(environment, reference).catch(() => undefined);
        const [anew, given] = this.#actor.file(field);
        files.push(blob === undefined ? anew : { field, blob, name, type });
        attached.push({ sha256, anew: blob === undefined ? { ...given, insteadOf: sha256 } : undefined });
      }
      const draft = { ...change, values: repaired, files } as ChangeDraft;
      if (!lane.alive) return;
      const stayed = this.#amend(this.#changesIn(entry), repaired, attached);
      await repair(environment, entry.id, draft, this.#actor.about(random)).catch((failure: unknown) => {
        stayed();
        throw failure;
      });
    });
  }

  /**
   * Records the result of a repair before it is written, since its page may be killed meanwhile. Returns a function to call
   * if nothing was written.
   */
  #amend(changes: readonly SavedChange[], repaired: Values, attached: Attached[]): () => void {
    const before = changes.map(({ touched, files }) => ({ touched, files }));
    for (const own of changes) {
      own.files = own.files.map((file) => takeAttached(attached, file) ?? file);
      const renewed = Object.keys(own.touched).map((field) => [field, repaired[field] ?? ''] as const);
      if (own === changes.at(-1)) own.touched = Object.fromEntries(renewed);
    }
    return () => changes.forEach((own, i) => Object.assign(own, before[i]));
  }

  /** The rest of a create, as an entry of its own, still belongs to that change. */
  #changesIn(entry: OutboxEntry): SavedChange[] {
    return [entry.id, ...this.#createBehind(entry)].flatMap((id) => this.#actor.ledger.in(id));
  }

  #createBehind(entry: OutboxEntry): string[] {
    return createBehind(entry, this.#actor.world.device.entries());
  }
}

/** Returns the current version of a given file. Of equal photos, each is taken once, in order. */
function takeAttached(attached: Attached[], { sha256, insteadOf }: GivenFile): GivenFile | undefined {
  const place = attached.findIndex((one) => one.sha256 === sha256 || one.sha256 === insteadOf);
  return place === -1 ? undefined : attached.splice(place, 1)[0]?.anew;
}
