import type { FastifyRequest } from 'fastify';
import { BATCH_TEXT, type BatchedChange, MOST_BATCHED } from '../../src/domain/protocol/batch.ts';
import { readAgain } from '../../src/domain/protocol/kept.ts';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { Refusal } from '../errors/refusal.ts';
import { isForm } from '../uploads/form.ts';
import type { ReceivedFile } from '../uploads/received.ts';
import { isKey } from './idempotency-key.ts';
import { idIn } from './ids.ts';
import { namedFilesIn } from './named-files.ts';

/** A received batch with its inline files. */
export interface ReceivedBatch {
  readonly changes: readonly BatchedChange[];
  readonly parts: readonly ReceivedFile[];
}

type Told = Partial<Record<keyof BatchedChange, unknown>>;

const OPERATIONS: readonly unknown[] = ['create', 'update', 'delete', 'delete-image'];
const KINDS: readonly unknown[] = RESOURCES.map(({ name }) => name);
const LONGEST_ID = 100;

/** Parses a batch. Throws 400 if it is malformed and 413 if it has too many changes; then none of them runs. */
export function batchIn({ body }: FastifyRequest): ReceivedBatch {
  const parts = isForm(body) ? body.files : [];
  const changes = isForm(body) ? parsed(body.texts.get(BATCH_TEXT) ?? '') : listIn(body);
  if (!Array.isArray(changes) || changes.length === 0) throw malformed('There is no list of changes.');
  if (changes.length > MOST_BATCHED) throw tooMany();
  const all = changes.map(changeIn);
  assertDistinct(all.map(({ key }) => key));
  assertDistinct(all.filter(({ op }) => op === 'create').map(({ id }) => id ?? ''));
  all.forEach((change, index) => assertFollows(change, all.slice(0, index)));
  return { changes: all, parts };
}

function changeIn(change: unknown): BatchedChange {
  const told = (change ?? {}) as Told;
  const { key, op, fields = {}, files = [], version, after } = told;
  if (!isKey(key)) throw malformed('A change has no key of 8 to 128 letters, digits, or one of . _ : -');
  if (!OPERATIONS.includes(op) || !isAbout(told)) throw malformed(`${key} does not say what it is about.`);
  if (!isTexts(fields)) throw malformed(`The fields of ${key} are no texts.`);
  if (!isOptionalText(version) || !isOptionalText(after)) throw malformed(`The version of ${key} is no text.`);
  const { again, ...rest } = told as unknown as BatchedChange;
  const repeated = readAgain(again);
  return { ...rest, fields, files: namedFilesIn(files), ...(repeated === undefined ? {} : { again: repeated }) };
}

/** True if a change names its record as its operation requires. */
function isAbout({ op, resource, id, imageId }: Told): boolean {
  if (resource === siteMeta.name) return op === 'update' && id === undefined;
  const isImage = op !== 'delete-image' || (Number.isSafeInteger(imageId) && Number(imageId) > 0);
  if (typeof id !== 'string' || id === '' || id.length > LONGEST_ID || !KINDS.includes(resource)) return false;
  // a new record has no server id yet
  return isImage && (op !== 'create' || idIn(id) === undefined);
}

/** Throws unless `after` names an earlier change of the same record. */
function assertFollows({ key, after, resource, id }: BatchedChange, earlier: readonly BatchedChange[]): void {
  if (after === undefined) return;
  const first = earlier.find((change) => change.key === after);
  if (first?.resource === resource && first.id === id) return;
  throw malformed(`${key} follows no earlier change of its record.`);
}

function assertDistinct(texts: readonly string[]): void {
  if (new Set(texts).size !== texts.length) throw malformed('A key or a local id comes twice.');
}

function isTexts(fields: unknown): fields is Readonly<Record<string, string>> {
  if (typeof fields !== 'object' || fields === null) return false;
  return Object.values(fields).every((text) => typeof text === 'string');
}

function isOptionalText(text: unknown): boolean {
  return text === undefined || typeof text === 'string';
}

function listIn(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'changes' in body ? body.changes : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('The changes are not JSON.');
  }
}

function malformed(message: string): Refusal {
  return new Refusal(400, { message, code: 'no-batch' });
}

function tooMany(): Refusal {
  const message = `Not more than ${MOST_BATCHED} changes can be sent in one request.`;
  return new Refusal(413, { message, code: 'batch-too-large' });
}
