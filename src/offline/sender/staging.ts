import { classify, FOREIGN, isProxyRefusal } from '../../domain/outbox/classify.ts';
import { MAY_OVERLAP, PIECE_TYPE, STAGING_PATH, TUS_VERSION } from '../../domain/protocol/staging.ts';
import type { FileReference, Outcome, Reason } from '../../domain/outbox/vocabulary.ts';
import { writeGuarded } from './anti-forgery.ts';
import { exchange, type HttpAnswer, headersFor, TUS } from './http.ts';
import type { Sender } from './sender.ts';
import { timeoutOf } from './time-limits.ts';

/** A minimal tus 1.0 client: create or query an upload, and continue it (docs/protocol.md). */

const QUESTION_TIMEOUT = 20_000;
const CHECKSUM_MISMATCH = 460;
const TOO_MUCH_STAGED = 507;

/** What the server says about a file. */
export type Told =
  /** It holds `offset` bytes. */
  | { readonly is: 'at'; readonly offset: number }
  /** It no longer holds any of it. */
  | { readonly is: 'absent' }
  /** The hash of the complete upload did not match: the server has dropped it. */
  | { readonly is: 'wrong' }
  /** The change cannot be sent with this file. */
  | { readonly is: 'refused'; readonly reason: Reason }
  /** No space for this file now. Only this file waits. */
  | { readonly is: 'full'; readonly message: string }
  /** A proxy rejects such requests. */
  | { readonly is: 'blocked' }
  | { readonly is: 'untold'; readonly outcome: Outcome };

/**
 * Creates an upload or queries its offset: an upload is addressed by the file's hash, so both are one call. A file that this
 * administrator has sent before counts as complete.
 */
export async function beginUpload(sender: Sender, { sha256, size }: FileReference): Promise<Told> {
  const headers = { 'Upload-Length': String(size), 'Upload-Metadata': `sha256 ${btoa(sha256)}` };
  return write(sender, { method: 'POST', path: STAGING_PATH, headers }, QUESTION_TIMEOUT);
}

/** Sends the piece that follows `offset`. */
export async function continueUpload(
  sender: Sender,
  { sha256 }: FileReference,
  offset: number,
  piece: ArrayBuffer,
): Promise<Told> {
  const headers = { 'Upload-Offset': String(offset), [MAY_OVERLAP]: '1', 'Content-Type': PIECE_TYPE };
  const path = `${STAGING_PATH}/${sha256}`;
  return write(sender, { method: 'PATCH', path, headers, body: piece }, timeoutOf(piece.byteLength));
}

interface StagingRequest {
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: ArrayBuffer;
}

async function write({ environment, session }: Sender, request: StagingRequest, timeout: number): Promise<Told> {
  const { path, ...init } = request;
  const answer = await writeGuarded(environment, session.token, undefined, (guard) => {
    const headers = { ...headersFor(session.token), [TUS]: TUS_VERSION, ...init.headers, ...guard };
    return exchange(environment, path, { ...init, headers }, timeout);
  });
  return toldBy(answer);
}

/** Interprets an answer by status and headers: a good answer has no body. */
function toldBy(answer: HttpAnswer | undefined): Told {
  const { status = 0, staging } = answer ?? {};
  if (staging?.offset !== undefined && (status < 300 || status === 409)) return { is: 'at', offset: staging.offset };
  if (staging !== undefined && status === 404) return { is: 'absent' };
  if (staging !== undefined && status === CHECKSUM_MISMATCH) return { is: 'wrong' };
  const isUnknown = answer?.json === true && staging === undefined && NO_SUCH_CALL.has(status);
  if (isUnknown || isProxyRefusal(answer)) return { is: 'blocked' };
  const outcome = classify('update', answer);
  if (outcome.kind === 'uncertain' && status === TOO_MUCH_STAGED) return { is: 'full', message: outcome.message };
  if (outcome.kind === 'refused') return { is: 'refused', reason: outcome.reason };
  return { is: 'untold', outcome: isAboutLink(outcome) ? outcome : FOREIGN };
}

/** Statuses that, without staging headers, mean that the server or a proxy does not know the call. */
const NO_SUCH_CALL = new Set([404, 405, 501]);

/** False for an outcome that makes no sense for an upload. */
function isAboutLink({ kind }: Outcome): boolean {
  return kind !== 'done' && kind !== 'conflict';
}
