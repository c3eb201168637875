import { MAX_FILE_BYTES, MAX_FILES_PER_REQUEST, MAX_REQUEST_BYTES } from '../limits.ts';

/**
 * What a server can do beyond the contract. `GET /api/capabilities` tells; a 404 means a contract-only server, and so does a page or
 * another refusal that comes twice while the user's own path answers.
 */
export interface Capabilities {
  readonly server: 'voltdesk' | 'contract-only';
  /** Knows `Idempotency-Key`: repeats are answered from the stored result. */
  readonly idempotencyKeys: boolean;
  /** Records carry `version`, updates and deletes take `If-Match`, a stale one answers 412. */
  readonly versions: boolean;
  /** Widths in pixels that `/uploads/{file}?width=…` gives smaller pictures in. */
  readonly imageSizes: readonly number[];
  /** `GET /api/history/{resource}/{id}` tells who changed what. */
  readonly history: boolean;
  /** `GET /api/activity` tells what happened lately. */
  readonly activity: boolean;
  /** List calls take `?full=1` and then answer whole records, so that every record opens without a connection. */
  readonly fullLists: boolean;
  /** `GET /api/changes/{key}` gives the answer to a change once more; 404 where none was carried out under that key. */
  readonly changesByKey: boolean;
  /** `GET /api/feed` tells what changed since a cursor, over all kinds (`feed.ts`). */
  readonly feed: boolean;
  /** `POST /api/presence` tells who else has a record open (`presence.ts`). */
  readonly presence: boolean;
  /** Administrators, roles and sessions are this server's own: the app has screens for them. */
  readonly people: boolean;
  /** Passkeys, authenticator apps and recovery codes can be set up (`second-factor.ts`). */
  readonly secondFactor: boolean;
  /** Files of so many bytes and more may be uploaded before their change, in pieces (`staging.ts`). Absent: not here. */
  readonly staging?: { readonly fromBytes: number };
  /** Several changes may go in one request (`batch.ts`). Absent: not here. */
  readonly batches?: { readonly maxChanges: number; readonly maxBytes: number };
  readonly limits: {
    readonly maxFileBytes: number;
    readonly maxRequestBytes: number;
    readonly maxFilesPerRequest: number;
  };
}

export const CAPABILITIES_PATH = '/api/capabilities';
/** Followed by an idempotency key. */
export const CHANGES_PATH = '/api/changes';

/** What a stock back end of the contract can do. */
export const CONTRACT_ONLY: Capabilities = {
  server: 'contract-only',
  idempotencyKeys: false,
  versions: false,
  imageSizes: [],
  history: false,
  activity: false,
  fullLists: false,
  changesByKey: false,
  feed: false,
  presence: false,
  people: false,
  secondFactor: false,
  limits: {
    maxFileBytes: MAX_FILE_BYTES,
    maxRequestBytes: MAX_REQUEST_BYTES,
    maxFilesPerRequest: MAX_FILES_PER_REQUEST,
  },
};

/** Reads the answer to the capabilities call; anything unexpected is a contract-only server. */
export function readCapabilities(status: number, body: unknown): Capabilities {
  if (status !== 200 || typeof body !== 'object' || body === null) return CONTRACT_ONLY;
  if ((body as { server?: unknown }).server !== 'voltdesk') return CONTRACT_ONLY;
  const told = body as Partial<Capabilities>;
  return { ...CONTRACT_ONLY, ...told, limits: { ...CONTRACT_ONLY.limits, ...told.limits } };
}
