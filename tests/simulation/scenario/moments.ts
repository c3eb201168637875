import { type ListRow, type ResourceName } from '../../../src/domain/resource.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';

export type Lists = ReadonlyMap<ResourceName, readonly ListRow[]>;

/** What a device has of one part of the lists, and how new that has to be. */
export interface Seen {
  /** The moment that the device had surely reached before. */
  readonly least: number;
  /** The device was told of everything up to this time, in epoch milliseconds. */
  readonly until: number;
}

/** The server's lists after each change, in short, and the moment that a device has surely reached. */
export class Moments {
  readonly #all: { readonly text: string; readonly at: number }[] = [];
  #reached = 0;

  get reached(): number {
    return this.#reached;
  }

  note(text: string, at: number): void {
    if (text !== this.#all.at(-1)?.text) this.#all.push({ text, at });
  }

  /** What is wrong with what a device has; undefined where it is that of some moment, and of none too early. */
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

/** How the moments of a server are told apart: its parts, each with all that a list tells of it in short. */
export type InShort = (lists: Lists) => ReadonlyMap<string, string>;

/** The lists of a server with its own records are those of one moment, all together. Every record's version is one of its own. */
export const allTogether: InShort = (lists) =>
  new Map([
    [
      'all',
      [...lists].flatMap(([kind, rows]) => rows.map(({ id, version }) => `${kind}/${id}@${String(version)}`)).join(),
    ],
  ]);

/** A gateway looks at one list after the other, and each row tells its columns alone. */
export const eachAlone: InShort = (lists) =>
  new Map(
    [...lists].map(([kind, rows]) => {
      const columns = ['id', ...resourceOf(kind).columns.map(({ field }) => field)];
      return [kind, JSON.stringify(rows.map((row) => columns.map((column) => row[column] ?? null)))];
    }),
  );
