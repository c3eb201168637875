import type { Learned } from './learned.ts';
import type { Base } from '../../outbox/vocabulary.ts';
import type { AnyResource, AnyResourceName, ListRow, Resource, ResourceName, ServerRecord } from '../../resource.ts';
import type { Values } from '../../validate.ts';

/**
 * Reads a back end that supports only the contract. Missing content (404) is undefined. Other failures are thrown and pass
 * through every function here unchanged; nothing is known then.
 */
export interface Reader {
  /** All rows of a list, from all its pages. */
  rows(resource: Resource): Promise<readonly ListRow[]>;
  record(resource: AnyResource, id: number | string): Promise<ServerRecord | undefined>;
  /**
   * Lower-case hexadecimal SHA-256 of the bytes at `/uploads/{name}`. Undefined if they cannot be read: the back end has lost
   * the file, or keeps it elsewhere.
   */
  sha256(name: string): Promise<string | undefined>;
  /** The rows among which new ones appear, without reading every page of a list. */
  newest?(resource: Resource): Promise<readonly ListRow[]>;
  /** How many pages a list had when it was last read whole. */
  pages?(resource: Resource): number;
  /** Reads a record that may or may not exist, without proof that it does not. */
  peek?(resource: Resource, id: number): Promise<ServerRecord | undefined>;
  /** Those of these stored files that another known change has brought. */
  explained?(names: readonly string[]): Promise<ReadonlySet<string>>;
}

/** A file of a request: its field without `[]`, and the SHA-256 of its bytes. */
export interface SentFile {
  readonly field: string;
  readonly sha256: string;
  /** Bytes. */
  readonly size?: number;
  /** The media type. */
  readonly type?: string;
}

/** A request to check for an effect, such as a change of the outbox. */
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

/** The state before a request. */
export interface Baseline {
  /** For a create: the ids of the list. */
  readonly ids?: readonly number[];
  /** The highest of these ids, if they are only those of the newest rows: higher ones are new. */
  readonly after?: number;
  /** For other operations: the record. */
  readonly record?: Base;
}

/** Facts about the request besides its content. Times are epoch milliseconds. */
export interface Attempt {
  readonly baseline: Baseline;
  /** From this time on the request can certainly no longer take effect. */
  readonly endsBy: number;
  readonly now: () => number;
  /** True for the id of a row known to come from another create. */
  readonly isClaimed: (id: number) => boolean;
  /** The back end has confirmed the create. Only its id is unknown. */
  readonly confirmed?: boolean;
  /** An earlier look after the lost answer found nothing new. */
  readonly foundNothing?: boolean;
  /** Called if this look finds nothing new. */
  readonly onNothingFound?: () => void;
  /**
   * How to distinguish a create's row from another one with the same texts. `bytes`: by its files, for callers close to
   * the back end. `texts`: by its files only if its texts leave doubt, because files are large for a bad link.
   */
  readonly proof: 'bytes' | 'texts';
  /** What is known about the back end's habits. */
  readonly learned?: Learned;
}

/** The fate of a request. */
export type Finding =
  /** It took effect. A create has `id`, unless its row is gone again. `missing` files still have to be sent. */
  | {
      readonly found: 'done';
      readonly id?: number;
      /** More rows with the same content, created by a repeat of the request. */
      readonly duplicates: readonly number[];
      readonly missing: readonly SentFile[];
    }
  /** It had no effect and can no longer take effect. It may be sent again. */
  | { readonly found: 'nothing' }
  /** It is not complete, and may still take effect. */
  | { readonly found: 'too-early'; readonly until: number }
  /** The record matches neither its earlier state nor the intended one. */
  | { readonly found: 'changed'; readonly theirs: Base }
  /** The edited record is gone. */
  | { readonly found: 'gone' }
  /** These rows are new and not explained, and nothing tells whether one of them is the created one. */
  | { readonly found: 'question'; readonly ids: readonly number[] };
