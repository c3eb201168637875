import { baseOf } from '../../../src/domain/outbox/base.ts';
import { isUnchanged } from '../../../src/domain/outbox/conflict.ts';
import { MAX_FILES_PER_REQUEST } from '../../../src/domain/limits.ts';
import type { Base } from '../../../src/domain/outbox/vocabulary.ts';
import { baselineOf, findOut } from '../../../src/domain/protocol/read-back/find-out.ts';
import type { Baseline, Finding, Reader, Sent, SentFile } from '../../../src/domain/protocol/read-back/reader.ts';
import { missingFrom, ownImages } from '../../../src/domain/protocol/read-back/own-files.ts';
import { textEvidence } from '../../../src/domain/protocol/read-back/evidence.ts';
import type { AnyResource, ResourceName, ServerRecord } from '../../../src/domain/resource.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import {
  changedSince,
  inFlight,
  invalid,
  matches,
  notFound,
  Refusal,
  type RefusalBody,
  unsettled,
} from '../../errors/refusal.ts';
import type { ChangeAnswer, Credentials } from '../store.ts';
import { asRefusal, away, type BackEnd, isModels, isSignedOut, jsonIn } from './back-end.ts';
import { hiddenFields } from './shapes.ts';
import type { Journal, OpenEntry } from './journal.ts';
import type { Recent } from './recent.ts';
import { contentOf, earlierVersionOf, resultOf, versionOf } from './result.ts';
import type { Learning } from './learning.ts';
import { idIn, isInFlight, keyOfPart, type OwnKeys } from './own-keys.ts';
import { NotSentError, type WireAnswer } from './transport.ts';
import { ofWhole } from './whole-errors.ts';
import {
  afterStep,
  formFor,
  nextRequest,
  type NextRequest,
  pathOf,
  type Step,
  type Unsettled,
  type Work,
} from './work.ts';

/** The dependencies of deliveries. */
export interface DeliveryWorld {
  readonly backEnd: BackEnd;
  readonly ownKeys: OwnKeys;
  readonly readerFor: (credentials: Credentials) => Reader;
  readonly journal: Journal;
  /** The absolute path of the folder for received files. */
  readonly folder: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** When this gateway was started, in epoch milliseconds. */
  readonly startedAt: number;
  /** Milliseconds after which a request without an answer can no longer take effect. */
  readonly longestRequest: number;
  readonly learning: Learning;
  readonly recent: Recent;
}

/** The context of a change's first request. */
export interface First {
  /** The version that the sender saw. */
  readonly ifMatch: string | undefined;
  /** Passes a cookie of the back end on to the waiting client. */
  readonly setCookie: (header: string) => void;
}

/** After this time a doubt is set aside: it blocks nobody else, and its sender decides. Milliseconds. */
const SET_ASIDE_AFTER = 10 * 60_000;
/** A confirmed row that no list has shown for this long was deleted again. Milliseconds. */
const SEEN_WITHIN = 3 * 60_000;

/** Why a doubt waits for its sender. */
const WHY = {
  candidates: 'New records may be this one, and the back end does not tell which.',
  partial: 'A part of it may be there, and the back end does not tell.',
  unanswered: 'It was sent several times, and the back end has not answered.',
  silent: 'It was sent twice, and the back end answered neither time.',
  late: 'It was sent long ago, and the back end shows no trace of it.',
  unseen: 'The back end has confirmed it, and does not show the record.',
  unreadable: 'The back end cannot be read at the moment.',
} as const;

/** The message for a change whose own message was lost. */
const ARRIVED = 'It had already arrived.';

/** Statuses that say nothing about a change: a stale anti-forgery session, or a busy or unreachable back end. */
const PASSING: ReadonlySet<number> = new Set([419, 425, 429, 503]);

/** Statuses of a rollback that its sender may not make: the session has ended, or the account lacks the permission. */
const TURNED_AWAY: ReadonlySet<number> = new Set([401, 403]);

/** Statuses that a back end with keys answers before it looks at them. */
const UNREAD: ReadonlySet<number> = new Set([...PASSING, ...TURNED_AWAY, 413]);

/** A baseline, the fields whose texts the record does not show plainly, and its version. */
interface FreshBaseline extends Baseline {
  readonly hidden?: readonly string[];
  /** The back end's own version of the record. */
  readonly version?: string;
}

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
  /** The version of the record as read before the latest request, and the name of that record. */
  #read: { readonly record: string; readonly version: string } | undefined;
  /** The next request repeats one of which there was no trace. */
  #isRepeating = false;

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
    const { step, refusal, suspended, unsettled: aside } = this.#work;
    if (step?.key !== undefined && refusal === undefined) await this.#repeat(step);
    else if (aside !== undefined && step !== undefined) await this.#lookAgain(step, aside);
    else if (suspended !== undefined) await this.#takeUp(suspended);
    else if (step !== undefined && refusal === undefined) await this.#settle(step);
    return this.#deliver(undefined);
  }

  /** Continues as the sender has decided: this record is the one that the request in question made or edited. */
  async adopt(id: number): Promise<ChangeAnswer> {
    const { step } = this.#work;
    if (step === undefined) return this.resume();
    const missing = await this.#lackedBy(step, id);
    this.#arrived(step, { found: 'done', id, duplicates: [], missing });
    return this.#deliver(undefined);
  }

  /** The files of a request that the record of this id lacks. */
  async #lackedBy({ sent, baseline }: Step, id: number): Promise<readonly SentFile[]> {
    const learned = await this.#world.learning.learned();
    const attempt = { baseline, endsBy: 0, now: this.#world.now, isClaimed: () => false, proof: 'bytes' } as const;
    if (sent.op === 'create') return missingFrom(this.#reader, sent, id, { ...attempt, baseline: {}, learned });
    return sent.op === 'update' ? missingFrom(this.#reader, sent, id, { ...attempt, learned }) : [];
  }

  async #deliver(first: First | undefined): Promise<ChangeAnswer> {
    try {
      return await this.#passedOn(first);
    } catch (error) {
      const { step, message } = this.#work;
      // the journal cannot be written any more, and the back end may have the change
      const isUnderWay = step !== undefined || message !== undefined;
      throw isUnderWay && !(error instanceof Refusal) ? unknown(error) : error;
    }
  }

  async #passedOn(first: First | undefined): Promise<ChangeAnswer> {
    await this.#passAllOn(first);
    if (this.#work.refusal !== undefined) return this.#takeBack(this.#work.refusal);
    const learned = await this.#world.learning.learned();
    const { answer, files, record } = await resultOf(this.#reader, this.#work, learned);
    await this.#world.journal.answer(this.#entry, answer, files);
    this.#noteRecent(answer, record);
    // what is read to learn must not keep the answer from anybody; what was only likely teaches nothing
    if (record !== undefined && this.#work.isInferred !== true && (await this.#world.ownKeys.limits()) === undefined) {
      await this.#world.learning.fromConfirmed(this.#reader, this.#work, record, files).catch(() => undefined);
    }
    return answer;
  }

  #noteRecent({ version }: ChangeAnswer, now: ServerRecord | undefined): void {
    const { target } = this.#work;
    if (version !== undefined && now !== undefined && 'resource' in target) {
      const name = `${target.resource}/${String(now['id'])}`;
      this.#world.recent.noteTold(name, version, contentOf(resourceOf(target.resource), now));
    }
    const { record, version: before } = this.#read ?? {};
    if (record === undefined || before === undefined || before === version) return;
    this.#world.recent.noteChanged(record, before, version);
  }

  async #passAllOn(first: First | undefined): Promise<void> {
    for (let bound = first; this.#work.refusal === undefined; bound = undefined) {
      const next = nextRequest(this.#work);
      if (next === undefined) return;
      const hasKeys = (await this.#world.ownKeys.limits()) !== undefined;
      const baseline = await this.#baselineFor(next.sent, bound?.ifMatch, hasKeys);
      if (baseline === undefined) await this.#refused(gone());
      else if (this.#isOvertaken(baseline)) await this.#refused(changedSince(''));
      else await this.#passOn(await this.#opened(next, baseline, hasKeys), bound);
    }
  }

  /** Commits a request to the journal before it is sent. */
  async #opened(
    { sent, files, keepsTexts }: NextRequest,
    { hidden = [], version, ...baseline }: FreshBaseline,
    hasKeys: boolean,
  ): Promise<Step> {
    const shown = keepsTexts ? baseline.record?.values : undefined;
    // what the record does not show plainly goes along as it was sent, or it would be erased
    const unshown = hidden.map((name) => [name, this.#work.values[name] ?? ''] as const);
    const carried =
      shown !== undefined && 'values' in sent
        ? { ...sent, values: { ...shown, ...Object.fromEntries(unshown) } }
        : sent;
    const at = this.#world.now();
    const isRepeat = this.#isRepeating ? { isRepeat: true as const } : {};
    // texts that a request only repeats have to be the ones that the record still has
    const isBound = version !== undefined && (this.#work.isGuarded === true || keepsTexts);
    const own = hasKeys ? { key: keyOfPart(this.#entry, this.#work), ...(isBound && { ifMatch: version }) } : {};
    const step: Step = {
      sent: carried,
      files,
      baseline,
      endsBy: at + this.#world.longestRequest,
      keepsTexts,
      at,
      ...isRepeat,
      ...own,
    };
    this.#isRepeating = false;
    const { foundNothing: _, ...work } = this.#work;
    const { before = baseline, isGuarded, message } = work;
    // without a version, what was changed before the first part took effect is accepted
    const isOpen = isGuarded !== true && message === undefined && sent.op === 'update';
    await this.#keep({ ...work, before: isOpen ? baseline : before, step });
    return step;
  }

  /** Reads the baseline before a request and checks the version that the sender saw. Undefined if the record is gone. */
  async #baselineFor(sent: Sent, ifMatch: string | undefined, hasKeys: boolean): Promise<FreshBaseline | undefined> {
    // a back end with keys tells which row it has made
    if (sent.op === 'create') return this.#work.before ?? (hasKeys ? {} : await baselineOf(this.#reader, sent));
    if (sent.op === 'delete-image') return this.#checkImage(sent.imageId, ifMatch);
    const resource = resourceOf(sent.resource);
    const name = `${resource.name}/${sent.recordId}`;
    const record = await this.#reader.record(resource, sent.recordId);
    if (record === undefined) return undefined;
    this.#assertFresh(name, ifMatch, resource, record);
    if (ifMatch !== undefined) this.#work = { ...this.#work, isGuarded: true };
    const hidden = hiddenFields(resource, record);
    if (sent.op === 'update') this.#assertNothingErased(resource, hidden);
    return { record: baseOf(resource, record), hidden, ...ownVersionOf(record) };
  }

  /** Throws 422 for an edit that would erase texts which the back end does not show, so that no form can have held them. */
  #assertNothingErased({ fields }: AnyResource, hidden: readonly string[]): void {
    const erased = fields.filter(({ name }) => hidden.includes(name) && (this.#work.values[name] ?? '') === '');
    if (erased.length === 0 || this.#work.message !== undefined) return;
    const texts = erased.map(({ name, label }) => [
      name,
      [`The back end doesn’t show ${label}, so saving would erase it. Enter it again, or have it shown.`],
    ]);
    throw invalid(Object.fromEntries(texts));
  }

  /** True if someone has changed texts or single files since the first part: the last one would overwrite them. */
  #isOvertaken({ record: now }: Baseline): boolean {
    const { target, message, before } = this.#work;
    const first = before?.record;
    if (target.op !== 'update' || first === undefined || now === undefined) return false;
    if (message === undefined && this.#work.isGuarded !== true) return false;
    return !isUnchanged({ ...first, imageIds: [] }, { ...now, imageIds: [] });
  }

  /** Checks an image against its record's version, if that record was ever read through this gateway. */
  async #checkImage(imageId: number, ifMatch: string | undefined): Promise<FreshBaseline> {
    const owner = ifMatch === undefined ? undefined : await this.#world.journal.ownerOf(imageId);
    if (owner === undefined) return {};
    const resource = resourceOf(owner.resource as ResourceName);
    const record = await this.#reader.record(resource, owner.recordId);
    if (record?.images?.some(({ id }) => id === imageId) !== true) throw notFound('This image no longer exists.');
    const name = `${owner.resource}/${owner.recordId}`;
    this.#assertFresh(name, ifMatch, resource, record);
    if (ifMatch !== undefined) this.#work = { ...this.#work, isGuarded: true };
    return ownVersionOf(record);
  }

  /** Throws 412 for another version, and for one that a confirmed change has overtaken while reads lag behind. */
  #assertFresh(record: string, ifMatch: string | undefined, resource: AnyResource, now: ServerRecord): void {
    const version = versionOf(now);
    const isSame =
      matches(ifMatch, version) ||
      matches(ifMatch, earlierVersionOf(now)) ||
      this.#world.recent.isStill(record, ifMatch, contentOf(resource, now));
    if (!isSame) throw changedSince(version);
    this.#read = { record, version };
    if (!this.#world.recent.isOvertaken(record, version)) return;
    // what is read is not what the next request would overwrite
    throw ifMatch === undefined || ifMatch.trim() === '*' || this.#work.message !== undefined
      ? inFlight()
      : changedSince('');
  }

  async #keep(work: Work): Promise<void> {
    await this.#world.journal.passOn({ ...this.#entry, work, credentials: this.#credentials });
    this.#work = work;
  }

  async #passOn(step: Step, first: First | undefined): Promise<void> {
    const answer = await this.#post(step, first !== undefined);
    if (answer instanceof NotSentError) return this.#refused(away(true));
    for (const cookie of answer?.cookies ?? []) first?.setCookie(cookie);
    return this.#take(step, answer, first);
  }

  /** Acts on the answer to a request. */
  async #take(step: Step, answer: WireAnswer | undefined, first?: First): Promise<void> {
    const meaning = answer === undefined || isInFlight(answer) ? 'unknown' : meaningOf(answer);
    const isOwn = meaning !== 'unknown' && meaning !== 'failed';
    if (step.key !== undefined && !isOwn) return this.#lookUp(step, step.key, answer);
    switch (meaning) {
      case 'missing':
        return this.#missing(step, answer as WireAnswer, isRepeatedDelete(step, first));
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

  /** Sends a request again under its key. If it had arrived, the back end repeats its answer. */
  async #repeat(step: Step): Promise<void> {
    if ((await this.#world.ownKeys.limits(true)) === undefined) return this.#wait(step, WHY.unanswered);
    const answer = await this.#post(step, false);
    const isUnread = answer instanceof NotSentError || answer === undefined;
    // what is refused before keys are looked at says nothing about the first request
    if (isUnread || UNREAD.has(answer.status) || isSignedOut(answer)) {
      return this.#wait(step, WHY.unanswered, [], isUnread ? undefined : asRefusal(answer));
    }
    return this.#take(step, answer);
  }

  /** Asks what became of a request without an answer of the back end's own. Throws 409 while that is unknown. */
  async #lookUp(step: Step, key: string, refused: WireAnswer | undefined): Promise<void> {
    const kept = await this.#world.backEnd.changeOf(this.#credentials, key).catch(() => undefined);
    if (kept !== undefined && meaningOf(kept) === 'done') return this.#tookEffect(step, kept);
    // without an answer, it may still be on its way
    const isOver = refused !== undefined && meaningOf(refused) === 'failed' && kept?.status === 404;
    return isOver ? this.#refused(asRefusal(refused)) : this.#wait(step, WHY.unanswered);
  }

  /** Handles a 404. It means that the record is gone only if it is proven to be: a router answers so too. */
  async #missing(step: Step, answer: WireAnswer, meansDeleted: boolean): Promise<void> {
    const isGone = await this.#isProvenGone(step.sent, answer).catch(() => false);
    if (!isGone) return this.#refused(away(false));
    return meansDeleted ? this.#tookEffect(step, undefined) : this.#refused(this.#refusalOf(step, answer));
  }

  async #isProvenGone(sent: Sent, answer: WireAnswer): Promise<boolean> {
    if (sent.op === 'create') return false;
    if (sent.op !== 'delete-image') {
      return (await this.#reader.record(resourceOf(sent.resource), sent.recordId)) === undefined;
    }
    const owner = await this.#world.journal.ownerOf(sent.imageId);
    if (owner === undefined) return isModels(answer);
    const record = await this.#reader.record(resourceOf(owner.resource as ResourceName), owner.recordId);
    return record?.images?.some(({ id }) => id === sent.imageId) !== true;
  }

  #refusalOf(step: Step, answer: WireAnswer): Refusal {
    const { status, body, headers, cookies } = asRefusal(answer);
    // its version is not one of the gateway’s
    if (status === 412 && step.ifMatch !== undefined) return changedSince('');
    return new Refusal(status, ofWhole(body, this.#work, step), headers, cookies);
  }

  /** Returns the answer, NotSentError if the request certainly had no effect, or undefined if that is unknown. */
  async #post(step: Step, isFirst: boolean): Promise<WireAnswer | NotSentError | undefined> {
    const { backEnd, folder } = this.#world;
    const send = () => backEnd.post(this.#credentials, pathOf(step.sent), formFor(this.#work, step, folder), step);
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
      this.#work = { ...this.#work, message };
      this.#work = afterStep(this.#work, step, await this.#droppedFrom(step));
      return;
    }
    if (step.key !== undefined) {
      const recordId = idIn(answer);
      if (recordId === undefined) return this.#setAside(step, WHY.unseen);
      this.#work = { ...afterStep(this.#work, step), message, recordId };
      return;
    }
    const confirmed = { ...step, isConfirmed: true };
    this.#work = { ...this.#work, step: confirmed, message };
    await this.#keep(this.#work);
    await this.#settle(confirmed);
  }

  /**
   * The photos that PHP has dropped from a request in silence: those after the first ones, if more files are sent than it takes
   * (`max_file_uploads`). None, if the record does not show that yet.
   */
  async #droppedFrom({ sent, baseline }: Step): Promise<readonly SentFile[]> {
    if (sent.op !== 'update' || sent.files.length <= MAX_FILES_PER_REQUEST) return [];
    const photos = sent.files.filter(({ field }) => field === 'images');
    const record = await this.#reader.record(resourceOf(sent.resource), sent.recordId).catch(() => undefined);
    const known = baseline.record?.imageIds ?? [];
    const stored = (record?.images ?? []).filter(({ id }) => !known.includes(id)).length;
    return stored === 0 ? [] : photos.slice(stored);
  }

  /** Handles an error of the back end itself or a filter's page: the request has ended, so whatever is missing now will not appear. */
  async #failed(step: Step, refusal: Refusal): Promise<void> {
    const finding = await this.#look(step);
    if (finding?.found === 'done') return this.#arrived(step, finding);
    if (finding === undefined) throw unknown();
    if (finding.found === 'question') return this.#setAside(step, WHY.candidates, finding.ids);
    return this.#refused(refusal);
  }

  /** Determines the outcome of a request without an answer. Throws 409 while it is unknown. */
  async #settle(step: Step): Promise<void> {
    const finding = await this.#look(step);
    switch (finding?.found) {
      case 'done':
        return isUnseen(step, finding) ? this.#unseen(step) : this.#seen(step, finding);
      case 'nothing':
        return this.#sendAgain(step);
      case 'gone':
        return this.#refused(gone());
      case 'changed':
        // files are added whatever the record contains now
        return step.keepsTexts ? this.#sendAgain(step) : this.#refused(changedSince(''));
      case 'question':
        // a confirmed row may still appear
        if (step.isConfirmed === true) return this.#wait(step, WHY.unseen, finding.ids);
        return this.#setAside(step, step.sent.op === 'create' ? WHY.candidates : WHY.partial, finding.ids);
      case 'too-early':
        throw unknown();
      default:
        return this.#wait(step, WHY.unreadable);
    }
  }

  async #seen(step: Step, finding: Finding & { found: 'done' }): Promise<void> {
    const lag = this.#world.now() - (step.at ?? this.#world.now());
    if (step.isConfirmed === true && lag > 0) await this.#world.learning.fromLag(lag);
    this.#arrived(step, finding);
  }

  /**
   * A confirmed create whose row neither its list nor the ids after the known ones show. They may lag behind. After a while
   * it was deleted again, and there is nothing to add its other files to.
   */
  async #unseen(step: Step): Promise<void> {
    const { listLag = 0 } = await this.#world.learning.learned();
    if (this.#age(step) < Math.max(SEEN_WITHIN, 2 * listLag)) throw unknown();
    this.#arrived(step, { found: 'done', duplicates: [], missing: [] });
  }

  /** Sends a request again of which there is no trace: once, or as often as it takes if a repeat does no harm. */
  async #sendAgain(step: Step): Promise<void> {
    const isHarmless = step.sent.op !== 'create' && !('files' in step.sent && step.sent.files.length > 0);
    if (step.isRepeat === true && !isHarmless) return this.#setAside(step, WHY.silent);
    if (isHarmless && this.#age(step) >= SET_ASIDE_AFTER) return this.#setAside(step, WHY.silent);
    // the journal may be an older one that was put back: what it made may have been removed again since
    const isOld = this.#world.startedAt - (this.#world.now() - this.#age(step)) >= SET_ASIDE_AFTER;
    if (isOld) return this.#setAside(step, WHY.late);
    this.#isRepeating = true;
  }

  /** Keeps a doubt open for a while. */
  async #wait(step: Step, message: string, candidates: readonly number[] = [], cause?: Refusal): Promise<never> {
    if (this.#age(step) >= SET_ASIDE_AFTER) return this.#setAside(step, message, candidates);
    throw unknown(cause);
  }

  /** Lets other changes go on while this doubt waits for its sender. */
  async #setAside(step: Step, message: string, candidates: readonly number[] = []): Promise<never> {
    const since = step.at ?? this.#world.now();
    await this.#keep({ ...this.#work, step, unsettled: { since, message, candidates } });
    throw unsettled(message, since, candidates);
  }

  /** Looks for evidence that has turned up since. Nothing is sent. */
  async #lookAgain(step: Step, { message, since, candidates }: Unsettled): Promise<void> {
    const finding = await this.#look(step);
    if (finding?.found === 'done' && !isUnseen(step, finding)) return this.#seen(step, finding);
    const ids = finding?.found === 'question' ? finding.ids : candidates;
    await this.#keep({ ...this.#work, unsettled: { message, since, candidates: ids } });
    throw unsettled(message, since, ids);
  }

  /** Milliseconds since a request was sent. */
  #age({ at, endsBy }: Step): number {
    return this.#world.now() - (at ?? endsBy - this.#world.longestRequest);
  }

  async #look(step: Step): Promise<Finding | undefined> {
    const { sent, baseline, endsBy, isConfirmed = false } = step;
    const { now, journal, learning } = this.#world;
    const since = step.at ?? endsBy - this.#world.longestRequest;
    const created = sent.op === 'create' ? await journal.createdIds(this.#entry.kind, since) : new Set<number>();
    const isClaimed = (id: number) => created.has(id);
    const learned = await learning.learned();
    const { foundNothing = false } = this.#work;
    let isNothingFound = false;
    const onNothingFound = () => {
      isNothingFound = true;
    };
    const facts = { baseline, endsBy, now, confirmed: isConfirmed, isClaimed, foundNothing, onNothingFound } as const;
    const finding = await findOut(this.#reader, sent, { ...facts, proof: 'bytes', learned }).catch(() => undefined);
    if (isNothingFound && !foundNothing) await this.#keep({ ...this.#work, foundNothing: true });
    return finding;
  }

  #arrived(step: Step, { id, duplicates, missing }: Finding & { found: 'done' }): void {
    const message = this.#work.message ?? ARRIVED;
    const found = id === undefined ? {} : { recordId: String(id) };
    const after = afterStep(this.#work, step, missing);
    // if the created row is gone again, there is nothing to add the other files to
    const left = step.sent.op === 'create' && id === undefined ? [] : after.left;
    const inferred = step.isConfirmed === true ? {} : { isInferred: true as const };
    this.#work = { ...after, left, message, duplicates: [...after.duplicates, ...duplicates], ...found, ...inferred };
  }

  /** Handles a request that had no effect. If an earlier part had one, the change is undone. */
  async #refused(refusal: Refusal): Promise<void> {
    if (this.#work.message === undefined) {
      await this.#world.journal.forget(this.#entry);
      throw refusal;
    }
    if (refusal.status === 401) return this.#suspend(refusal);
    // somebody has changed the record between the last look and this part, whose texts are only repeated
    const isStale = refusal.status === 412 && this.#work.step?.keepsTexts === true;
    if (isStale || PASSING.has(refusal.status)) {
      // it had no effect: there is nothing to look for before it is sent again
      const { step: _step, ...work } = this.#work;
      await this.#keep(work);
      throw unknown(refusal);
    }
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

  /** The requests that undo the earlier parts. What is somebody else's stays: their images, and a row that they have edited. */
  async #undoing(): Promise<string[]> {
    const { target, recordId, values, files, arrived, before } = this.#work;
    if (target.op !== 'create' && target.op !== 'update') return [];
    const id = target.op === 'create' ? recordId : target.id;
    const resource = resourceOf(target.resource);
    const record = id === undefined ? undefined : await this.#reader.record(resource, id);
    if (record === undefined) return [];
    const learned = await this.#world.learning.learned();
    const sent = arrived.flatMap((place) => files[place] ?? []).filter(({ field }) => field === 'images');
    const known = target.op === 'create' ? undefined : before?.record;
    const own = await ownImages(this.#reader, { resource, record }, sent, { before: known, learned });
    if (target.op === 'update') return own.map((imageId) => pathOf({ op: 'delete-image', imageId }));
    const texts = textEvidence(learned, resource, values, record);
    const isUntouched = own.length === (record.images ?? []).length && (texts === 'same' || texts === 'alike');
    return isUntouched ? [pathOf({ op: 'delete', resource: target.resource, recordId: String(id) })] : [];
  }
}

/**
 * Classifies the answer to a request. `missing`: 404. `failed`: the back end's own error, or the page of a filter that has
 * seen its answer, so the request has ended. `unknown`: an intermediary answered instead.
 */
function meaningOf(answer: WireAnswer): 'done' | 'missing' | 'refused' | 'failed' | 'unknown' {
  const { status } = answer;
  const isOwn = jsonIn(answer) !== undefined;
  if (isSignedOut(answer)) return 'refused';
  if (status === 404 && isOwn) return 'missing';
  if (status >= 200 && status < 300) return isOwn ? 'done' : 'unknown';
  if (status === 408 || status === 502 || status === 504 || status < 400) return 'unknown';
  if (status >= 500 && status !== 503) return isOwn ? 'failed' : 'unknown';
  if (status === 503) return isOwn ? 'refused' : 'unknown';
  // a filter’s page may have replaced the answer to a request that was carried out, and has ended
  return isOwn ? 'refused' : 'failed';
}

/** The version that the back end itself shows. */
function ownVersionOf({ version }: ServerRecord & { readonly version?: unknown }): { readonly version?: string } {
  return typeof version === 'string' ? { version } : {};
}

/** True if a confirmed create has no row that can be seen. */
function isUnseen({ sent }: Step, { id }: Finding & { found: 'done' }): boolean {
  return sent.op === 'create' && id === undefined;
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
