import type { ResourceName, ServerRecord } from '../../../src/domain/resource.ts';
import type { StagedHarm } from './staged-files.ts';

/** A request as it comes off the wire. */
export interface WireRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** What a server holds of one record. */
export interface StoredRecord {
  readonly record: ServerRecord;
  /** SHA-256, as received, of the single files by field. */
  readonly files: Readonly<Record<string, string>>;
  /** Images in the order of their ids, with the SHA-256 of what was received. */
  readonly images: readonly { readonly id: number; readonly sha256: string }[];
}

export type ServerName = 'own' | 'contract-only' | 'gateway';

/** A server that a world talks to. Its clock and chance are the world's. All its work is real: the world stands still for it. */
export interface SimulatedServer {
  readonly name: ServerName;
  /** `from`: the lane that sent it, or 'elsewhere'. */
  handle(request: WireRequest, from?: string): Promise<WireAnswer>;
  /** Called, where it is set, for every change that took its way through a server to another that keeps the records. */
  onArrival?: ((request: WireRequest, answer: WireAnswer) => Promise<void>) | undefined;
  /** What the server itself has broken, as far as it can be seen when nothing is under way any more. Real work. */
  broken?(): Promise<readonly string[]>;
  /** Something befalls the files that lie ready for a change, where it takes such. Real work. */
  harmStaged?(harm: StagedHarm): void | Promise<void>;
  /** The world is over. */
  close?(): Promise<void>;
  /** A fresh token for user '1' or '2'. */
  signIn(user: string): Promise<string>;
  /** Everything it holds of one kind, oldest first. */
  stored(resource: ResourceName): Promise<readonly StoredRecord[]>;
  siteMeta(): Promise<Readonly<Record<string, unknown>>>;
  /** It is ended and started again: what it has only in memory is gone. */
  restart(): Promise<void>;
}

/** What a world gives a server. */
export interface ServerWorld {
  readonly seed: string;
  readonly now: () => number;
  readonly randomBytes: (count: number) => Buffer;
  /** Real work to be done after so many milliseconds; the answer cancels it. */
  readonly after: (milliseconds: number, work: () => Promise<void>) => () => void;
  /** True when nothing goes wrong any more. */
  readonly isCalm: () => boolean;
}

/** Gives servers for one world after the other, each as if freshly installed. */
export interface ServerSupply {
  fresh(world: ServerWorld): Promise<SimulatedServer>;
  close(): Promise<void>;
}
