import type { OutcomeDecision } from '../../../src/domain/protocol/unsettled.ts';
import type { ResourceName, ServerRecord } from '../../../src/domain/resource.ts';
import type { StagedHarm } from './staged-files.ts';

/** A request as received. */
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

/** The server's data of one record. */
export interface StoredRecord {
  readonly record: ServerRecord;
  /** SHA-256, as received, of the single files by field. */
  readonly files: Readonly<Record<string, string>>;
  /** Images by id, with the SHA-256 of what was received. */
  readonly images: readonly { readonly id: number; readonly sha256: string }[];
}

export type ServerName = 'own' | 'contract-only' | 'gateway';

/**
 * A server of a world, with the world's clock and randomness. All its work is real: the world's clock stands still
 * meanwhile.
 */
export interface SimulatedServer {
  readonly name: ServerName;
  /** `from` is the lane that sent it, or 'elsewhere'. */
  handle(request: WireRequest, from?: string): Promise<WireAnswer>;
  /** Called, if set, for every change that passed through a server to another one that stores the records. */
  onArrival?: ((request: WireRequest, answer: WireAnswer) => Promise<void>) | undefined;
  /** What a person tells a gateway about their own change that it cannot settle. Real work. */
  decide?(user: string, key: string, decided: OutcomeDecision): Promise<void>;
  /** The promises that the server itself has broken, as far as visible when nothing is in flight. Real work. */
  broken?(): Promise<readonly string[]>;
  /** Damages the staged files, if the server supports staging. Real work. */
  harmStaged?(harm: StagedHarm): void | Promise<void>;
  /** Ends the world. */
  close?(): Promise<void>;
  /** A fresh token for user '1' or '2'. */
  signIn(user: string): Promise<string>;
  /** All its records of a resource, oldest first. */
  stored(resource: ResourceName): Promise<readonly StoredRecord[]>;
  siteMeta(): Promise<Readonly<Record<string, unknown>>>;
  /** Stops and restarts it, which loses what is only in memory. */
  restart(): Promise<void>;
}

/** What a world provides to a server. */
export interface ServerWorld {
  readonly seed: string;
  readonly now: () => number;
  readonly randomBytes: (count: number) => Buffer;
  /** Schedules real work after this many milliseconds. Returns a function that cancels it. */
  readonly after: (milliseconds: number, work: () => Promise<void>) => () => void;
  /** True once faults have stopped. */
  readonly isCalm: () => boolean;
}

/** Provides servers to successive worlds, each as if freshly installed. */
export interface ServerSupply {
  fresh(world: ServerWorld): Promise<SimulatedServer>;
  close(): Promise<void>;
}
