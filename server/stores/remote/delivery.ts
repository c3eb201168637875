import { baseOf } from '../../../src/domain/outbox/base.ts';
import { isUnchanged } from '../../../src/domain/outbox/conflict.ts';
import type { Base } from '../../../src/domain/outbox/vocabulary.ts';
import { baselineOf, findOut } from '../../../src/domain/protocol/read-back/find-out.ts';
import type { Baseline, Finding, Reader, Sent } from '../../../src/domain/protocol/read-back/reader.ts';
import type { ResourceName } from '../../../src/domain/resource.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { changedSince, inFlight, matches, notFound, Refusal, type RefusalBody } from '../../refusal.ts';
import type { ChangeAnswer, Credentials } from '../store.ts';
import { asRefusal, away, type BackEnd, jsonIn } from './back-end.ts';
import type { Journal, OpenEntry } from './journal.ts';
import { resultOf, versionOf } from './result.ts';
import { NotSentError, type WireAnswer } from './transport.ts';
import { ofWhole } from './whole-errors.ts';
import { afterStep, formFor, nextRequest, type NextRequest, pathOf, type Step, type Work } from './work.ts';

/** The dependencies of deliveries. */
export interface DeliveryWorld {
  readonly backEnd: BackEnd;
  readonly readerFor: (credentials: Credentials) => Reader;
  readonly journal: Journal;
  /** The absolute path of the folder for received files. */
  readonly folder: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Milliseconds after which a request without an answer can no longer take effect. */
  readonly longestRequest: number;
}

/** The context of a change's first request. */
export interface First {
  /** The version that the sender saw. */
  readonly ifMatch: string | undefined;
  /** Passes a cookie of the back end on to the waiting client. */
  readonly setCookie: (header: string) => void;
}

/** The message for a change whose own message was lost. */
const ARRIVED = 'It had already arrived.';

/** Statuses that say nothing about a change: a stale anti-forgery session, or a busy or unreachable back end. */
const PASSING: ReadonlySet<number> = new Set([419, 425, 429, 503]);

/** Statuses of a rollback that its sender may not make: the session has ended, or the account lacks the permission. */
const TURNED_AWAY: ReadonlySet<number> = new Set([401, 403]);

const gone = () => notFound('This record no longer exists.');

/** The refusal for a change in flight, thrown when its outcome cannot be determined now. `cause` is what prevents it. */
function unknown(cause?: unknown): Refusal {
  return Object.assign(inFlight(), { cause });
}

/**
 * Delivers one change to the back end. The journal records a request before it is sent and the answer before it is returned.
 * If an answer is lost, reading back determines the outcome.
 */
export class Delivery {
  readonly #world: DeliveryWorld;
  readonly #reader: Reader;
  readonly #entry: Omit<OpenEntry, 'work' | 'credentials'>;
  #credentials: Credentials;
  #work: Work;

  constructor(world: DeliveryWorld, { work, credentials, ...entry }: OpenEntry) {
    this.#world = world;
    this.#entry = entry;
    this.#credentials = credentials;
    this.#work = work;
    this.#reader = world.readerFor(credentials);
  }

  /**
   * Sends the change for the first time. Throws a Refusal: 409 while the outcome is unknown. After any other, nothing has
   * taken effect and nothing will.
   */
  begin(first: First): Promise<ChangeAnswer> {
    return this.#deliver(first);
  }

  /** Determines the outcome of the request in flight and continues from there. Throws like `begin`. */
  async resume(): Promise<ChangeAnswer> {
    const { step, refusal, suspended } = this.#work;
    if (suspended !== undefined) await this.#takeUp(suspended);
    else if (step !== undefined && refusal === undefined) await this.#settle(step);
    return this.#deliver(undefined);
  }

  async #deliver(first: First | undefined): Promise<ChangeAnswer> {
    await this.#passAllOn(first);
    if (this.#work.refusal !== undefined) return this.#takeBack(this.#work.refusal);
    const { answer, files } = await resultOf(this.#reader, this.#work);
    await this.#world.journal.answer(this.#entry, answer, files);
    return answer;
  }

  async #passAllOn(first: First | undefined): Promise<void> {
    for (let bound = first; this.#work.refusal === undefined; bound = undefined) {
      const next = nextRequest(this.#work);
      if (next === undefined) return;
      const baseline = await this.#baselineFor(next.sent, bound?.ifMatch);
      if (baseline === undefined) await this.#refused(gone());
      else await this.#passOn(await this.#opened(next, baseline), bound);
    }
  }

  /** Commits a request to the journal before it is sent. */
  async #opened({ sent, files, keepsTexts }: NextRequest, baseline: Baseline): Promise<Step> {
    const values = keepsTexts ? baseline.record?.values : undefined;
    const carried = values !== undefined && 'values' in sent ? { ...sent, values } : sent;
    const endsBy = this.#world.now() + this.#world.longestRequest;
    const step: Step = { sent: carried, files, baseline, endsBy, keepsTexts };
    await this.#keep({ ...this.#work, before: this.#work.before ?? baseline, step });
    return step;
  }

  /** Reads the baseline before a request and checks the version that the sender saw. Undefined if the record is gone. */
  async #baselineFor(sent: Sent, ifMatch: string | undefined): Promise<Baseline | undefined> {
    if (sent.op === 'create') return this.#work.before ?? (await baselineOf(this.#reader, sent));
    if (sent.op === 'delete-image') return this.#checkImage(sent.imageId, ifMatch);
    const resource = resourceOf(sent.resource);
    const record = await this.#reader.record(resource, sent.recordId);
    if (record === undefined) return undefined;
    this.#assertVersion(ifMatch, versionOf(record));
    return { record: baseOf(resource, record) };
  }

  /** Checks an image against its record's version, if that record was ever read through this gateway. */
  async #checkImage(imageId: number, ifMatch: string | undefined): Promise<Baseline> {
    const owner = ifMatch === undefined ? undefined : await this.#world.journal.ownerOf(imageId);
    if (owner === undefined) return {};
    const record = await this.#reader.record(resourceOf(owner.resource as ResourceName), owner.recordId);
    if (record?.images?.some(({ id }) => id === imageId) !== true) throw notFound('This image no longer exists.');
    this.#assertVersion(ifMatch, versionOf(record));
    return {};
  }

  #assertVersion(ifMatch: string | undefined, version: string): void {
    if (!matches(ifMatch, version)) throw changedSince(version);
  }

  async #keep(work: Work): Promise<void> {
    this.#work = work;
    await this.#world.journal.passOn({ ...this.#entry, work, credentials: this.#credentials });
  }

  async #passOn(step: Step, first: First | undefined): Promise<void> {
    const answer = await this.#post(step, first !== undefined);
    if (answer instanceof NotSentError) return this.#refused(away(true));
    for (const cookie of answer?.cookies ?? []) first?.setCookie(cookie);
    switch (answer === undefined ? 'unknown' : meaningOf(answer, isRepeatedDelete(step, first))) {
      case 'done':
        return this.#tookEffect(step, answer);
      case 'refused':
        return this.#refused(this.#refusalOf(step, answer as WireAnswer));
      case 'failed':
        return this.#failed({ ...step, endsBy: this.#world.now() }, asRefusal(answer as WireAnswer));
      default:
        await this.#settle(step);
        // an immediate retry would use the same broken link
        if (this.#work.step !== undefined) throw unknown();
    }
  }

  #refusalOf(step: Step, answer: WireAnswer): Refusal {
    const { status, body, headers, cookies } = asRefusal(answer);
    return new Refusal(status, ofWhole(body, this.#work, step), headers, cookies);
  }

  /** Returns the answer, NotSentError if the request certainly had no effect, or undefined if that is unknown. */
  async #post(step: Step, isFirst: boolean): Promise<WireAnswer | NotSentError | undefined> {
    const { backEnd, folder } = this.#world;
    const send = () => backEnd.post(this.#credentials, pathOf(step.sent), formFor(this.#work, step, folder));
    try {
      return await (isFirst ? send() : this.#renewing(send));
    } catch (error) {
      return error instanceof NotSentError ? error : undefined;
    }
  }

  /** Sends a request and renews the anti-forgery session if needed. No device waits for this request to do so. */
  async #renewing(send: () => Promise<WireAnswer>): Promise<WireAnswer> {
    const answer = await send();
    if (answer.status !== 419) return answer;
    this.#credentials = await this.#world.backEnd.renewed(this.#credentials);
    return send();
  }

  async #tookEffect(step: Step, answer: WireAnswer | undefined): Promise<void> {
    const message = this.#work.message ?? messageIn(answer);
    if (step.sent.op !== 'create') {
      this.#work = { ...afterStep(this.#work, step), message };
      return;
    }
    const confirmed = { ...step, isConfirmed: true };
    this.#work = { ...this.#work, step: confirmed, message };
    const finding = await this.#look(confirmed);
    if (finding?.found === 'done') return this.#arrived(confirmed, finding);
    await this.#keep(this.#work);
    throw unknown();
  }

  /** Handles an error of the back end itself: its request has ended, so whatever is missing now will not appear. */
  async #failed(step: Step, refusal: Refusal): Promise<void> {
    const finding = await this.#look(step);
    if (finding?.found === 'done') return this.#arrived(step, finding);
    if (finding === undefined) throw unknown();
    return this.#refused(refusal);
  }

  /** Determines the outcome of a request without an answer. Throws 409 while it is unknown. */
  async #settle(step: Step): Promise<void> {
    const finding = await this.#look(step);
    switch (finding?.found) {
      case 'done':
        return this.#arrived(step, finding);
      case 'nothing':
        // the request is sent again
        return;
      case 'gone':
        return this.#refused(gone());
      case 'changed':
        // files are added whatever the record contains now
        return step.keepsTexts ? undefined : this.#refused(changedSince(''));
      default:
        throw unknown();
    }
  }

  async #look(step: Step): Promise<Finding | undefined> {
    const { sent, baseline, endsBy, isConfirmed = false } = step;
    const { now } = this.#world;
    const attempt = { baseline, endsBy, now, confirmed: isConfirmed, isClaimed: () => false, proof: 'bytes' } as const;
    return findOut(this.#reader, sent, attempt).catch(() => undefined);
  }

  #arrived(step: Step, { id, duplicates, missing }: Finding & { found: 'done' }): void {
    const message = this.#work.message ?? ARRIVED;
    const found = id === undefined ? {} : { recordId: String(id) };
    const after = afterStep(this.#work, step, missing);
    // if the created row is gone again, there is nothing to add the other files to
    const left = step.sent.op === 'create' && id === undefined ? [] : after.left;
    this.#work = { ...after, left, message, duplicates: [...after.duplicates, ...duplicates], ...found };
  }

  /** Handles a request that had no effect. If an earlier part had one, the change is undone. */
  async #refused(refusal: Refusal): Promise<void> {
    if (this.#work.message === undefined) {
      await this.#world.journal.forget(this.#entry);
      throw refusal;
    }
    if (refusal.status === 401) return this.#suspend(refusal);
    if (PASSING.has(refusal.status)) throw unknown(refusal);
    // the deletion of the record removed the earlier parts too
    if (refusal.status === 404) this.#work = { ...this.#work, left: [] };
    else await this.#keep({ ...this.#work, refusal: { status: refusal.status, body: refusal.body } });
  }

  /** Undoes the earlier parts: a change takes effect completely or not at all. */
  async #takeBack({ status, body }: NonNullable<Work['refusal']>): Promise<never> {
    for (const path of await this.#undoing()) {
      const undo = () => this.#world.backEnd.post(this.#credentials, path, undefined);
      const answer = await this.#renewing(undo).catch(() => undefined);
      if (answer !== undefined && TURNED_AWAY.has(answer.status)) await this.#suspend(asRefusal(answer));
      if (answer === undefined || !isUndone(answer)) throw unknown(answer && asRefusal(answer));
    }
    return this.#giveUp(status, body);
  }

  async #giveUp(status: number, body: RefusalBody): Promise<never> {
    await this.#world.journal.forget(this.#entry);
    throw new Refusal(status, body);
  }

  /** Lets other changes go on while the back end turns the sender of this one away. */
  async #suspend(cause: Refusal): Promise<never> {
    const { step, ...work } = this.#work;
    const suspended = step?.baseline.record ?? (await this.#recordNow(this.#reader));
    await this.#keep({ ...work, ...(suspended && { suspended }) });
    throw unknown(cause);
  }

  /** Takes up a suspended change. Others may have changed its record since, and what is theirs stays. */
  async #takeUp(before: Base): Promise<void> {
    const { suspended: _suspended, ...work } = this.#work;
    const now = await this.#recordIfLetIn();
    const { target, refusal } = work;
    const isSame = now !== undefined && isUnchanged(before, now);
    // a rollback would delete the work of others with the record
    if (refusal !== undefined && target.op === 'create' && !isSame) return this.#giveUp(refusal.status, refusal.body);
    await this.#keep({
      ...work,
      ...(now && { before: { ...work.before, record: withoutOwnImages(work, before, now) } }),
    });
    // the last part of an edit would write over the texts of others
    const isOvertaken = now !== undefined && !isUnchanged({ ...before, imageIds: [] }, { ...now, imageIds: [] });
    if (refusal === undefined && target.op === 'update' && isOvertaken) await this.#refused(changedSince(''));
  }

  /** Reads the record in the sender's own session: while that has ended, no files are uploaded just to be refused. */
  async #recordIfLetIn(): Promise<Base | undefined> {
    return this.#recordNow(this.#world.backEnd.readerFor(this.#credentials)).catch((cause: unknown) => {
      throw unknown(cause);
    });
  }

  async #recordNow(reader: Reader): Promise<Base | undefined> {
    const { target, recordId } = this.#work;
    const id = target.op === 'create' ? recordId : target.id;
    if (!('resource' in target) || id === undefined) return undefined;
    const resource = resourceOf(target.resource);
    const record = await reader.record(resource, id);
    return record && baseOf(resource, record);
  }

  async #undoing(): Promise<string[]> {
    const { target, recordId, before } = this.#work;
    if (target.op === 'create' && recordId !== undefined) {
      return [pathOf({ op: 'delete', resource: target.resource, recordId })];
    }
    if (target.op !== 'update') return [];
    const record = await this.#reader.record(resourceOf(target.resource), target.id);
    const known = before?.record?.imageIds ?? [];
    const added = (record?.images ?? []).filter(({ id }) => !known.includes(id));
    return added.map(({ id }) => pathOf({ op: 'delete-image', imageId: id }));
  }
}

/**
 * Classifies the answer to a request. `failed`: the back end's own error, so its request has ended. `unknown`: an
 * intermediary answered instead.
 */
function meaningOf(answer: WireAnswer, meansDeleted: boolean): 'done' | 'refused' | 'failed' | 'unknown' {
  const { status } = answer;
  const isOwn = jsonIn(answer) !== undefined;
  if (status === 404 && isOwn && meansDeleted) return 'done';
  if (status >= 200 && status < 300) return isOwn ? 'done' : 'unknown';
  if (status === 408 || status === 502 || status === 504 || status < 400) return 'unknown';
  if (status >= 500 && status !== 503) return isOwn ? 'failed' : 'unknown';
  if (status === 503) return isOwn ? 'refused' : 'unknown';
  return 'refused';
}

/** The record as it is now, without the images that the change had added when it was suspended, `before` others came in. */
function withoutOwnImages({ before: first }: Work, before: Base, now: Base): Base {
  const known = first?.record?.imageIds ?? [];
  const own = before.imageIds?.filter((id) => !known.includes(id)) ?? [];
  return { ...now, imageIds: now.imageIds?.filter((id) => !own.includes(id)) ?? [] };
}

/** True for a repeated delete: a missing record was deleted by the earlier request. */
function isRepeatedDelete({ sent: { op } }: Step, first: First | undefined): boolean {
  return first === undefined && (op === 'delete' || op === 'delete-image');
}

/** True if the back end itself has deleted it, or knows it no longer. */
function isUndone(answer: WireAnswer): boolean {
  return (answer.status === 200 || answer.status === 404) && jsonIn(answer) !== undefined;
}

function messageIn(answer: WireAnswer | undefined): string {
  const body = answer === undefined || answer.status >= 300 ? undefined : jsonIn(answer);
  const { message } = (body ?? {}) as { readonly message?: unknown };
  return typeof message === 'string' ? message : ARRIVED;
}
