import type { Operation, OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import type { AnyResourceName } from '../../../src/domain/resource.ts';
import type { Values } from '../../../src/domain/validate.ts';

/** A file given with a change. */
export interface GivenFile {
  readonly field: string;
  readonly sha256: string;
  /** SHA-256 of the file that it replaces, which was lost on the device but may have arrived before. */
  readonly insteadOf?: string;
}

/**
 * What is known of a saved change.
 * - `unsure`: the page was gone before it said "saved", or the browser cleared the device's storage: at most once
 * - `kept`: it said "saved": exactly once
 * - `given up`: discarded or taken back by the administrator: at most once
 * - `refused`: the save itself failed: never
 */
export type Fate = 'unsure' | 'kept' | 'given up' | 'refused';

/** One press of Save, Delete or similar. */
export interface SavedChange {
  readonly number: number;
  /**
   * Its position among all changes. Taken when its own transaction wrote, which another page's transaction may have
   * delayed.
   */
  place: number;
  readonly administrator: string;
  readonly op: Operation;
  readonly resource: AnyResourceName | undefined;
  /** The mark of the record, or 'settings' for the site-wide settings. */
  readonly record: string;
  /** The written values by field. */
  touched: Values;
  /** What the form showed before. */
  readonly before: Values;
  /** As of when the user had seen the record. The world's milliseconds. */
  seenAt: number;
  files: readonly GivenFile[];
  /** The id of a removed image. */
  readonly imageId?: number;
  entryId: string | undefined;
  fate: Fate;
  /** True for a delete that was undone before it was sent. Earlier changes of the record continue. */
  undone?: boolean;
  /** Fields whose conflict was decided: the others' values were seen and may be overwritten. */
  readonly decided: Set<string>;
  /** Fields for which the others' value was chosen. */
  readonly overruled: Set<string>;
}

/** The changes in a queue file, the entry of each, and whether it had said "saved". */
export type Carried = readonly { readonly change: SavedChange; readonly entryId: string; readonly kept: boolean }[];

/** The acceptable contents of an unsaved draft: the last one that is certainly stored, and later ones. */
export interface HalfFilled {
  readonly key: string;
  readonly possible: readonly Values[];
  readonly isKept: boolean;
}

/** The oracle's record of who saved what, in order, and what the administrator did with it. */
export class Ledger {
  readonly changes: SavedChange[] = [];
  /** SHA-256 of every file that was ever picked. */
  readonly picked = new Set<string>();
  /** Entries of a newer version of the app, as written, by position. */
  readonly unreadable = new Map<number, string>();
  /** Records that someone elsewhere removed. */
  readonly removedElsewhere = new Set<string>();
  /** Images that someone removed, here or elsewhere. For the latter, also the server row. */
  readonly imagesRemoved: { readonly record: string; readonly sha256: string; readonly row?: number }[] = [];
  /** Rows that someone elsewhere created with the texts of a change made here, as `resource/id`. */
  readonly equalRows = new Set<string>();
  /** Records that the outbox reported as no longer on the server. */
  readonly saidGone = new Set<string>();
  /** Unsaved drafts, by administrator and resource. */
  readonly drafts = new Map<string, HalfFilled>();
  /** Users in whose name something was saved after they had logged out. */
  readonly savedAfterLogOut: string[] = [];
  /** Records whose create was imported from a queue file. */
  readonly takenIn = new Set<string>();
  #places = 0;
  /**
   * When an entry was first written under each key. A save gives its entry a new key, even if it is merged into an existing
   * one.
   */
  readonly #written = new Map<string, number>();

  /** A draft is about to be stored under a key. After `kept` no older contents are acceptable. */
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

  /** An entry is written. Transactions that write the outbox run one after the other. */
  writes({ idempotencyKey }: Pick<OutboxEntry, 'idempotencyKey'>): void {
    if (!this.#written.has(idempotencyKey)) this.#written.set(idempotencyKey, this.#nextPlace());
  }

  /**
   * The page has reported its change as saved, in this entry. The change gets the position of that write: while the storage
   * is held, a page may write its change after one that another page requested later.
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

  /** The changes in an entry: several if a later one was merged into it. */
  in(entryId: string): SavedChange[] {
    return this.changes.filter((change) => change.entryId === entryId);
  }

  giveUp(entryIds: readonly string[]): void {
    for (const change of this.changes) {
      if (change.entryId !== undefined && entryIds.includes(change.entryId)) change.fate = 'given up';
    }
  }

  /** A delete was undone before it was sent. */
  undo(entryId: string): void {
    for (const change of this.in(entryId)) if (change.fate === 'kept') change.undone = true;
    this.giveUp([entryId]);
  }

  /** The form takes changes back. `undo` says that they have stayed after all. */
  takeBack(entryIds: readonly string[]): { readonly undo: () => void } {
    const own = this.changes.filter(({ entryId, fate }) => fate === 'kept' && entryIds.includes(entryId ?? ''));
    for (const change of own) change.fate = 'given up';
    return {
      undo: () => {
        for (const change of own) change.fate = 'kept';
      },
    };
  }

  /** The browser cleared all storage. Whatever was not fully confirmed by then may or may not have been sent. */
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

  /** The contents of a queue file, and what was known of them when it was written. */
  carriedOff(entryIds: readonly string[]): Carried {
    const own = this.changes.filter(({ entryId }) => entryId !== undefined && entryIds.includes(entryId));
    return own.map((change) => ({ change, entryId: change.entryId ?? '', kept: change.fate === 'kept' }));
  }

  /** A queue file is about to be imported. Its entries may restore cleared ones. */
  takesIn(carried: Carried): void {
    for (const { change, entryId } of carried) {
      // A change that was sent before the storage was cleared need not be stored again.
      if (change.fate !== 'kept') change.entryId ??= entryId;
      change.undone = false;
      if (change.op === 'create') this.takenIn.add(change.record);
    }
  }

  /** The file was imported: what was saved once is saved again. */
  tookIn(carried: Carried): void {
    for (const { change, entryId, kept } of carried) {
      change.entryId ??= entryId;
      if (kept && change.fate === 'unsure') change.fate = 'kept';
    }
  }

  /** True if the field may have another value now, from a later change by the same user or any change by someone else. */
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
   * True if the record was to be deleted after this change: an edit followed by a delete is a delete. This includes a
   * delete that the server refused and the administrator discarded, since it had superseded the edit. A delete that was
   * undone in time superseded nothing.
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

/** The confirmed create whose rest this entry is. Only such an entry is inserted between two others. */
export function createBehind({ change, sequence }: OutboxEntry, entries: readonly OutboxEntry[]): string[] {
  if (Number.isInteger(sequence)) return [];
  const creates = entries.filter((other) => other.change.op === 'create');
  const own = creates.filter(({ change: { resource }, receipt }) => {
    return resource === change.resource && String(receipt?.serverId) === change.recordId;
  });
  return own.map(({ id }) => id);
}
