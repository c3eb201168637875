import { retryAfter } from '../../src/domain/outbox/backoff.ts';
import {
  type BatchAnswer,
  type BatchedChange,
  EARLIER_FAILED,
  RECORD_UNKNOWN,
} from '../../src/domain/protocol/batch.ts';
import type { NamedFile } from '../../src/domain/protocol/staging.ts';
import { type AnyResource, isSingle, recordAddress } from '../../src/domain/resource.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { inFlight, Refusal } from '../errors/refusal.ts';
import type { WaitingBatch } from '../shared/waiting-keys.ts';
import type { Caller, ChangeAnswer, Target } from '../stores/store.ts';
import type { ReceivedFile } from '../uploads/received.ts';
import { discard, incomingPath } from '../uploads/storage.ts';
import type { ReceivedBatch } from './batch-form.ts';
import { idIn } from './ids.ts';
import { type ChangeDesk, isReceived, makeChange } from './make-change.ts';

/** The target of a change, once its record's id is known. */
interface Aim {
  readonly target: Target;
  /** The path of the single call. */
  readonly path: string;
}

/** Dependencies of a batch run. */
interface RunWorld {
  readonly desk: ChangeDesk;
  readonly caller: Caller;
  readonly batch: ReceivedBatch;
  readonly asRefusal: (error: unknown) => Refusal;
}

/** Runs the changes of a batch in order. A failed change stops the later ones of its record. */
export class BatchRun {
  readonly #desk: ChangeDesk;
  readonly #caller: Caller;
  readonly #batch: ReceivedBatch;
  readonly #waiting: WaitingBatch;
  readonly #asRefusal: (error: unknown) => Refusal;
  /** Answers of successful changes, by key. */
  readonly #done = new Map<string, ChangeAnswer>();
  /** Server ids of records created by this batch, by kind and local id. */
  readonly #ids = new Map<string, number>();
  /** The key of the failed change, by kind and id. */
  readonly #failed = new Map<string, string>();

  private constructor({ desk, caller, batch, asRefusal }: RunWorld, waiting: WaitingBatch) {
    this.#desk = desk;
    this.#caller = caller;
    this.#batch = batch;
    this.#asRefusal = asRefusal;
    this.#waiting = waiting;
  }

  /** Registers the keys of a batch. The caller must consume its answers. */
  static async begin(world: RunWorld): Promise<BatchRun> {
    const { desk, caller, batch } = world;
    const keys = batch.changes.map(({ key }) => key);
    return new BatchRun(world, await desk.waiting.add(caller.user.id, keys));
  }

  /** Yields the answers as they come. Changes run only as answers are consumed. */
  async *answers(): AsyncGenerator<BatchAnswer> {
    try {
      for (const change of this.#batch.changes) {
        const answer = await this.#answerTo(change);
        await this.#waiting.done(change.key);
        yield answer;
      }
    } finally {
      await this.#waiting.end();
    }
  }

  async #answerTo(change: BatchedChange): Promise<BatchAnswer> {
    const { key } = change;
    try {
      const { answer, isReplayed } = await this.#make(change);
      this.#done.set(key, answer);
      if (change.op === 'create' && answer.id !== undefined) this.#ids.set(recordOf(change), answer.id);
      return { key, status: 200, body: answer, ...(isReplayed ? { replayed: true } : {}) };
    } catch (error) {
      const { status, body, headers } = this.#asRefusal(error);
      const record = this.#recordOf(change);
      if (!this.#failed.has(record)) this.#failed.set(record, key);
      // an existing back end's header has a lower-case name, and may be a date
      const wait = retryAfter(new Headers(headers).get('Retry-After'), Date.now()) ?? 0;
      return { key, status, body, ...(wait > 0 ? { retryAfter: Math.ceil(wait / 1000) } : {}) };
    }
  }

  async #make(change: BatchedChange) {
    const { key, fields = {}, files = [], again } = change;
    this.#assertMayBeTried(change);
    if (this.#waiting.elsewhere.has(key)) throw inFlight();
    const ifMatch = this.#ifMatchOf(change);
    return makeChange(this.#desk, this.#caller, {
      ...aimOf(change, this.#idOf(change)),
      key,
      texts: new Map(Object.entries(fields)),
      files: await this.#withParts(files),
      confirm: () => this.#waiting.confirm(key),
      ...(ifMatch === undefined ? {} : { ifMatch }),
      ...(again === undefined ? {} : { again }),
    });
  }

  #assertMayBeTried(change: BatchedChange): void {
    const earlier = this.#failed.get(this.#recordOf(change));
    if (earlier !== undefined) {
      const message = 'An earlier change of this record failed.';
      throw new Refusal(424, { message, code: EARLIER_FAILED, earlier });
    }
    const isKnown = change.op === 'create' || change.id === undefined || this.#idOf(change) !== undefined;
    if (!isKnown) throw recordUnknown();
  }

  async #withParts(files: readonly NamedFile[]): Promise<(ReceivedFile | NamedFile)[]> {
    const linked = await Promise.allSettled(files.map((file) => this.#withPart(file)));
    const found = linked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const failed = linked.find((one) => one.status === 'rejected');
    if (failed === undefined) return found;
    await discard(this.#desk.storage, found.filter(isReceived));
    throw failed.reason;
  }

  /** Links an inline file under a new name, because several changes may use it. */
  async #withPart(file: NamedFile): Promise<ReceivedFile | NamedFile> {
    const part = this.#batch.parts.find(({ sha256 }) => sha256 === file.sha256);
    if (part === undefined) return file;
    const { storage } = this.#desk;
    const path = incomingPath(storage);
    await storage.disk.link(part.path, path);
    return { ...part, path, field: file.field, originalName: file.name };
  }

  #ifMatchOf({ version, after }: BatchedChange): string | undefined {
    if (after === undefined) return version === undefined ? undefined : `"${version}"`;
    const left = this.#done.get(after)?.version;
    if (left === undefined) throw recordUnknown();
    return `"${left}"`;
  }

  /** The server's id of the record. Undefined if it has none or it is unknown. */
  #idOf(change: BatchedChange): number | undefined {
    return idIn(change.id ?? '') ?? this.#ids.get(recordOf(change));
  }

  #recordOf(change: BatchedChange): string {
    const id = this.#idOf(change);
    return id === undefined ? recordOf(change) : `${change.resource}/${id}`;
  }
}

function recordOf({ resource, id = '' }: BatchedChange): string {
  return `${resource}/${id}`;
}

function aimOf({ op, resource: name, imageId = 0 }: BatchedChange, id = 0): Aim {
  const resource: AnyResource = resourceOf(name);
  if (isSingle(resource)) {
    return { target: { op: 'update', resource, id: resource.only }, path: recordAddress(resource, id) };
  }
  switch (op) {
    case 'create':
      return { target: { op, resource }, path: resource.endpoints.create };
    case 'update':
      return { target: { op, resource, id }, path: recordAddress(resource, id) };
    case 'delete':
      return { target: { op, resource, id }, path: `${resource.endpoints.delete}/${id}` };
    case 'delete-image':
      return { target: { op, id: imageId }, path: `/api/delete-image/${imageId}` };
    default:
      return op satisfies never;
  }
}

function recordUnknown(): Refusal {
  const message = 'The record of this change is no longer known.';
  return new Refusal(424, { message, code: RECORD_UNKNOWN });
}
