import { MAX_FILE_BYTES, MAX_FILES_PER_REQUEST, MAX_REQUEST_BYTES } from '../limits.ts';

/**
 * What a server supports beyond the contract, as reported by `GET /api/capabilities`. A 404 means a contract-only server.
 * So does a page or another refusal, if it comes twice while the user's own path answers.
 */
export interface Capabilities {
  readonly server: 'voltdesk' | 'contract-only';
  /** Supports `Idempotency-Key`: repeats are answered with the stored result. */
  readonly idempotencyKeys: boolean;
  /** Records have `version`; updates and deletes accept `If-Match` and answer 412 if it is stale. */
  readonly versions: boolean;
  /** Widths in pixels of the smaller pictures at `/uploads/{file}?width=…`. */
  readonly imageSizes: readonly number[];
  /** `GET /api/history/{resource}/{id}` returns who changed what. */
  readonly history: boolean;
  /** `GET /api/activity` returns recent activity. */
  readonly activity: boolean;
  /** List calls accept `?full=1` and then return whole records, so that every record opens offline. */
  readonly fullLists: boolean;
  /** `GET /api/changes/{key}` repeats the answer to a change; 404 if none was executed under that key. */
  readonly changesByKey: boolean;
  /** `GET /api/feed` returns what changed since a cursor, across all kinds (`feed.ts`). */
  readonly feed: boolean;
  /** `POST /api/presence` returns who else has a record open (`presence.ts`). */
  readonly presence: boolean;
  /** The server manages administrators, roles and sessions, and the app shows screens for them. */
  readonly people: boolean;
  /** Supports passkeys, authenticator apps and recovery codes (`second-factor.ts`). */
  readonly secondFactor: boolean;
  /** The public site reads from this server (`content.ts`). Absent if not. */
  readonly content?: true;
  /** Deleted records can be restored for this many days (`trash.ts`). Absent if they are deleted at once. */
  readonly trash?: { readonly days: number };
  /** Confirmed changes stay on the device until the server says that they are in a backup (`kept.ts`). Absent if unsupported. */
  readonly kept?: true;
  /** Files of at least this many bytes can be staged in pieces before their change (`staging.ts`). Absent if unsupported. */
  readonly staging?: { readonly fromBytes: number };
  /** Several changes can share one request (`batch.ts`). Absent if unsupported. */
  readonly batches?: { readonly maxChanges: number; readonly maxBytes: number };
  readonly limits: {
    readonly maxFileBytes: number;
    readonly maxRequestBytes: number;
    readonly maxFilesPerRequest: number;
  };
}

export const CAPABILITIES_PATH = '/api/capabilities';
/** Takes batches, and lookups of several keys (`?keys=`). Followed by an idempotency key, looks up one. */
export const CHANGES_PATH = '/api/changes';

/** The capabilities of a stock back end. */
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

/** Reads the answer to the capabilities call. Anything unexpected means a contract-only server. */
export function readCapabilities(status: number, body: unknown): Capabilities {
  if (status !== 200 || typeof body !== 'object' || body === null) return CONTRACT_ONLY;
  if ((body as { server?: unknown }).server !== 'voltdesk') return CONTRACT_ONLY;
  const told = body as Partial<Capabilities>;
  return { ...CONTRACT_ONLY, ...told, limits: { ...CONTRACT_ONLY.limits, ...told.limits } };
}
