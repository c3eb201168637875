import { type ListRow, type ResourceName } from '../../../src/domain/resource.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';

export type Lists = ReadonlyMap<ResourceName, readonly ListRow[]>;

/** What a device has of one part of the lists, and how recent it must be. */
export interface Seen {
  /** The state that the device had certainly reached before. */
  readonly least: number;
  /** The device's information is complete up to this time. Epoch milliseconds. */
  readonly until: number;
}

/** A digest of the server's lists after each change, and the state that a device has certainly reached. */
export class Moments {
  readonly #all: { readonly text: string; readonly at: number }[] = [];
  #reached = 0;

  get reached(): number {
    return this.#reached;
  }

  note(text: string, at: number): void {
    if (text !== this.#all.at(-1)?.text) this.#all.push({ text, at });
  }

  /** What is wrong with the device's lists. Undefined if they match a state that is recent enough. */
  wrongWith(text: string, { least, until }: Seen): string | undefined {
    const last = this.#all.findLastIndex((moment) => moment.text === text);
    if (last === -1) return 'half: the device has lists that the server never had';
    if (last < least) return 'back: the device has lists that are older than those it had';
    const followed = this.#all[last + 1];
    if (followed !== undefined && followed.at < until) return 'old: the device has lists that should long be others';
    this.#reached = Math.max(
      this.#reached,
      this.#all.findIndex((moment) => moment.text === text),
    );
    return undefined;
  }
}

/** Distinguishes states of a server: returns a digest of the lists for each part. */
export type InShort = (lists: Lists) => ReadonlyMap<string, string>;

/** The lists of a server with its own records match a single state, all together. A version is unique per record. */
export const allTogether: InShort = (lists) =>
  new Map([
    [
      'all',
      [...lists].flatMap(([kind, rows]) => rows.map(({ id, version }) => `${kind}/${id}@${String(version)}`)).join(),
    ],
  ]);

/** A gateway reads one list after the other, and each row contains only its columns. */
export const eachAlone: InShort = (lists) =>
  new Map(
    [...lists].map(([kind, rows]) => {
      const columns = ['id', ...resourceOf(kind).columns.map(({ field }) => field)];
      return [kind, JSON.stringify(rows.map((row) => columns.map((column) => row[column] ?? null)))];
    }),
  );
