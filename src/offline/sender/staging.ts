import { classify, isProxyRefusal } from '../../domain/outbox/classify.ts';
import { MAY_OVERLAP, PIECE_TYPE, STAGING_PATH, TUS_VERSION } from '../../domain/protocol/staging.ts';
import type { FileReference, Outcome, Reason } from '../../domain/outbox/vocabulary.ts';
import { writeGuarded } from './anti-forgery.ts';
import { exchange, type HttpAnswer, headersFor, TUS } from './http.ts';
import type { Sender } from './sender.ts';
import { timeoutOf } from './time-limits.ts';

/** The smallest client of tus 1.0 that a file needs here: begin or ask, and go on (docs/protocol.md). */

const QUESTION_TIMEOUT = 20_000;
const CHECKSUM_MISMATCH = 460;
const TOO_MUCH_STAGED = 507;

/** What the server has told of a file. */
export type Told =
  /** It holds so many bytes. */
  | { readonly is: 'at'; readonly offset: number }
  /** It has nothing of it any more. */
  | { readonly is: 'absent' }
  /** All had arrived, and were not the file's: it has dropped them. */
  | { readonly is: 'wrong' }
  /** The change cannot be sent with this file. */
  | { readonly is: 'refused'; readonly reason: Reason }
  /** For this file to wait, and for no other. */
  | { readonly is: 'full'; readonly message: string }
  /** Something in between takes no such request. */
  | { readonly is: 'blocked' }
  | { readonly is: 'untold'; readonly outcome: Outcome };

/**
 * Begins a file, or finds out how far it has come: an upload's address is the file's hash, so the call is the same. One that is there
 * already, or that this person has sent before, is told as whole.
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

/** Decided by status and headers: these answers have no body where all is well. */
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
  return { is: 'untold', outcome: isAboutLink(outcome) ? outcome : NO_STAGING };
}

/** Without a word of staging: the server does not know the call, or somebody before it does not. */
const NO_SUCH_CALL = new Set([404, 405, 501]);

/** An answer that means something else in another place. */
const NO_STAGING: Outcome = { kind: 'unreachable', message: 'The server didn’t accept the file.' };

function isAboutLink({ kind }: Outcome): boolean {
  return kind !== 'done' && kind !== 'conflict' && kind !== 'refused';
}
