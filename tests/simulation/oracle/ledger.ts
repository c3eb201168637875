import type { Operation, OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import type { AnyResourceName } from '../../../src/domain/resource.ts';
import type { Values } from '../../../src/domain/validate.ts';

/** A file that was given with a change. */
export interface GivenFile {
  readonly field: string;
  readonly sha256: string;
  /** SHA-256 of one that was lost on the device and picked anew: it may have arrived before. */
  readonly insteadOf?: string;
}

/**
 * What is known of a saved change.
 * - `unsure`: the page was gone before it said "saved", or the browser threw the device's storage away: at most once
 * - `kept`: it said "saved": exactly once
 * - `given up`: discarded or taken back by the administrator: at most once
 * - `refused`: the save itself failed: never
 */
export type Fate = 'unsure' | 'kept' | 'given up' | 'refused';

/** One press of Save, Delete or the like. */
export interface SavedChange {
  readonly number: number;
  /** Where it stands among all: from the moment on when its own transaction wrote, which another page's may have held up. */
  place: number;
  readonly administrator: string;
  readonly op: Operation;
  readonly resource: AnyResourceName | undefined;
  /** The mark of the record; 'settings' of the site-wide settings. */
  readonly record: string;
  /** What was written into which field. */
  touched: Values;
  /** What the form showed before. */
  readonly before: Values;
  files: readonly GivenFile[];
  /** Of an image that is removed. */
  readonly imageId?: number;
  entryId: string | undefined;
  fate: Fate;
  /** A delete that was taken back before it went out: what was made of the record before it goes on. */
  undone?: boolean;
  /** A conflict was decided: what the others wrote into these fields was seen and may go. */
  readonly decided: Set<string>;
  /** Fields in which theirs was chosen. */
  readonly overruled: Set<string>;
}

/** The changes in a queue file, the entry that each is in, and whether it had said "saved". */
export type Carried = readonly { readonly change: SavedChange; readonly entryId: string; readonly kept: boolean }[];

/** What may be kept of a form that nobody has saved: what was surely kept last, and what was begun since. */
export interface HalfFilled {
  readonly key: string;
  readonly possible: readonly Values[];
  readonly isKept: boolean;
}

/** The oracle's small memory: who saved what, in order, and what became of it by the administrator's own hand. */
export class Ledger {
  readonly changes: SavedChange[] = [];
  /** SHA-256 of every file that was ever picked. */
  readonly picked = new Set<string>();
  /** Entries of a newer version of the app, as they were written, by their place. */
  readonly unreadable = new Map<number, string>();
  /** Records that somebody elsewhere removed. */
  readonly removedElsewhere = new Set<string>();
  /** Images that somebody removed, elsewhere or here; elsewhere, also from which row of the server. */
  readonly imagesRemoved: { readonly record: string; readonly sha256: string; readonly row?: number }[] = [];
  /** Records of which the outbox has said that they are no longer on the server. */
  readonly saidGone = new Set<string>();
  /** Half filled forms, by administrator and kind of record. */
  readonly drafts = new Map<string, HalfFilled>();
  /** Records whose create came out of a queue file. */
  readonly takenIn = new Set<string>();
  #places = 0;
  /** When an entry was first written under each key: a save gives its entry a new one, also when it is merged into it. */
  readonly #written = new Map<string, number>();

  /** Somebody's form is about to be kept under a key. From `kept` on nothing older will do. */
  draftBegun(whose: string, key: string, values: Values): { readonly kept: () => void } {
    const before = this.drafts.get(whose) ?? { key, possible: [], isKept: false };
    this.drafts.set(whose, { ...before, possible: [...before.possible, values] });
    return {
      kept: () => {
        const { possible } = this.drafts.get(whose) ?? before;
        this.drafts.set(whose, { key, possible: possible.slice(possible.indexOf(values)), isKept: true });
      },
    };
  }

  note(
    change: Omit<SavedChange, 'number' | 'place' | 'undone' | 'entryId' | 'fate' | 'decided' | 'overruled'>,
  ): SavedChange {
    const noted: SavedChange = {
      ...change,
      number: this.changes.length + 1,
      place: this.#nextPlace(),
      entryId: undefined,
      fate: 'unsure',
      decided: new Set(),
      overruled: new Set(),
    };
    this.changes.push(noted);
    return noted;
  }

  /** An entry is written. Transactions that write the outbox go one after the other. */
  writes({ idempotencyKey }: Pick<OutboxEntry, 'idempotencyKey'>): void {
    if (!this.#written.has(idempotencyKey)) this.#written.set(idempotencyKey, this.#nextPlace());
  }

  /**
   * The page was told that its change is saved, in that entry. The change stands where that was written: what was asked for in one page
   * while the storage was held may be written after what another page asked for later.
   */
  saved(change: SavedChange, { id, idempotencyKey }: Pick<OutboxEntry, 'id' | 'idempotencyKey'>): void {
    change.entryId = id;
    change.fate = 'kept';
    change.place = Math.max(change.place, this.#written.get(idempotencyKey) ?? 0);
  }

  #nextPlace(): number {
    this.#places += 1;
    return this.#places;
  }

  /** The changes that an entry carries: more than one where a later one was merged into it. */
  in(entryId: string): SavedChange[] {
    return this.changes.filter((change) => change.entryId === entryId);
  }

  giveUp(entryIds: readonly string[]): void {
    for (const change of this.changes) {
      if (change.entryId !== undefined && entryIds.includes(change.entryId)) change.fate = 'given up';
    }
  }

  /** A delete was taken back before it went out. */
  undo(entryId: string): void {
    for (const change of this.in(entryId)) if (change.fate === 'kept') change.undone = true;
    this.giveUp([entryId]);
  }

  /** The form takes changes back; `undo` says that they have stayed after all. */
  takeBack(entryIds: readonly string[]): { readonly undo: () => void } {
    const own = this.changes.filter(({ entryId, fate }) => fate === 'kept' && entryIds.includes(entryId ?? ''));
    for (const change of own) change.fate = 'given up';
    return {
      undo: () => {
        for (const change of own) change.fate = 'kept';
      },
    };
  }

  /** The browser threw everything away: whatever was not confirmed by then, as a whole, may or may not have gone. */
  wiped(entries: readonly OutboxEntry[]): void {
    this.unreadable.clear();
    this.drafts.clear();
    const unconfirmed = entries.filter(({ state }) => state !== 'done');
    const waiting = new Set(unconfirmed.flatMap((entry) => [entry.id, ...createBehind(entry, entries)]));
    for (const change of this.changes) {
      if (change.entryId !== undefined && waiting.has(change.entryId) && change.fate === 'kept') change.fate = 'unsure';
      change.entryId = undefined;
    }
  }

  /** What a queue file carries, and what was known of it when the file was written. */
  carriedOff(entryIds: readonly string[]): Carried {
    const own = this.changes.filter(({ entryId }) => entryId !== undefined && entryIds.includes(entryId));
    return own.map((change) => ({ change, entryId: change.entryId ?? '', kept: change.fate === 'kept' }));
  }

  /** A queue file is about to be taken in: what the browser had thrown away may have its entries again. */
  takesIn(carried: Carried): void {
    for (const { change, entryId } of carried) {
      // one that was sent before the storage was thrown away need not be stored again
      if (change.fate !== 'kept') change.entryId ??= entryId;
      change.undone = false;
      if (change.op === 'create') this.takenIn.add(change.record);
    }
  }

  /** It was taken in: what was saved once is saved again. */
  tookIn(carried: Carried): void {
    for (const { change, entryId, kept } of carried) {
      change.entryId ??= entryId;
      if (kept && change.fate === 'unsure') change.fate = 'kept';
    }
  }

  /** Something else may stand in that field now: a later change of the same hand, or any of somebody else's. */
  superseded(change: SavedChange, touches: (other: SavedChange) => boolean): boolean {
    return this.changes.some(
      (other) =>
        other !== change &&
        other.record === change.record &&
        (other.place > change.place || other.administrator !== change.administrator) &&
        touches(other),
    );
  }

  /**
   * True when the record was to be deleted after that change: an edit and then a delete are a delete. Also where the server refused that
   * and the administrator discarded it: what it took along goes with it. One that was undone before its time took nothing along.
   */
  deletedAfter({ record, place }: SavedChange): boolean {
    return this.changes.some(
      (other) =>
        other.op === 'delete' &&
        other.record === record &&
        other.place > place &&
        other.fate !== 'refused' &&
        other.undone !== true,
    );
  }
}

/** The confirmed create of which an entry is the rest: only such a one has its place between two others. */
export function createBehind({ change, sequence }: OutboxEntry, entries: readonly OutboxEntry[]): string[] {
  if (Number.isInteger(sequence)) return [];
  const creates = entries.filter((other) => other.change.op === 'create');
  const own = creates.filter(({ change: { resource }, receipt }) => {
    return resource === change.resource && String(receipt?.serverId) === change.recordId;
  });
  return own.map(({ id }) => id);
}
