import type { Base } from '../../outbox/vocabulary.ts';
import type { AnyResource, AnyResourceName, ListRow, Resource, ResourceName, ServerRecord } from '../../resource.ts';
import type { Values } from '../../validate.ts';

/**
 * Reads a back end that knows nothing but the contract. What is gone (404) is undefined. Whatever else stops a read is thrown,
 * and comes out of every function here as it is: nothing was found out then.
 */
export interface Reader {
  /** Every row of a list, all its pages. */
  rows(resource: Resource): Promise<readonly ListRow[]>;
  record(resource: AnyResource, id: number | string): Promise<ServerRecord | undefined>;
  /** Lower-case hexadecimal SHA-256 of the bytes at `/uploads/{name}`; undefined for a file that the back end has lost. */
  sha256(name: string): Promise<string | undefined>;
}

/** A file that a request carried: its field without `[]`, and the SHA-256 of its bytes. */
export interface SentFile {
  readonly field: string;
  readonly sha256: string;
}

/** A request whose effect is looked for. A change of the outbox is one. */
export type Sent =
  | {
      readonly op: 'create';
      readonly resource: ResourceName;
      readonly values: Values;
      readonly files: readonly SentFile[];
    }
  | {
      readonly op: 'update';
      readonly resource: AnyResourceName;
      readonly recordId: string;
      readonly values: Values;
      readonly files: readonly SentFile[];
    }
  | { readonly op: 'delete'; readonly resource: ResourceName; readonly recordId: string }
  | { readonly op: 'delete-image'; readonly imageId: number };

/** What was there before a request went out. */
export interface Baseline {
  /** Of a create: the ids of the list. */
  readonly ids?: readonly number[];
  /** Of any other: the record. */
  readonly record?: Base;
}

/** What is known of the request beside what it carried. Times are epoch milliseconds. */
export interface Attempt {
  readonly baseline: Baseline;
  /** From then on the request can surely no longer take effect. */
  readonly endsBy: number;
  readonly now: () => number;
  /** True for the id of a row that another create is known to have made. */
  readonly isClaimed: (id: number) => boolean;
  /** The back end has said that a create took effect: only its id is not known. */
  readonly confirmed?: boolean;
  /**
   * How a create's row is told from another one with the same texts. `bytes`: by its files, for whoever is near the back end.
   * `texts`: by its files only where its texts leave room for doubt, since they are large for a bad link.
   */
  readonly proof: 'bytes' | 'texts';
}

/** What became of a request. */
export type Finding =
  /** It took effect. `id` of a create, unless its row is gone again. `missing` files have to be sent after it. */
  | {
      readonly found: 'done';
      readonly id?: number;
      /** Further rows of the same contents, made by something that repeated the request. */
      readonly duplicates: readonly number[];
      readonly missing: readonly SentFile[];
    }
  /** Nothing of it is there, and it can no longer take effect: it may be sent again. */
  | { readonly found: 'nothing' }
  /** Not all of it is there, and it may still take effect. */
  | { readonly found: 'too-early'; readonly until: number }
  /** The record is neither as it was nor as it was to be. */
  | { readonly found: 'changed'; readonly theirs: Base }
  /** The record that was to be edited is gone. */
  | { readonly found: 'gone' }
  /** Any of these rows could be the created one. Only with `proof: 'texts'`. */
  | { readonly found: 'question'; readonly ids: readonly number[] };
