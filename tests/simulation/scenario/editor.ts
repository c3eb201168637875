import type { Base, OutboxEntry, RecordId } from '../../../src/domain/outbox/vocabulary.ts';
import { baseOf, baseOfRow, baseOfView } from '../../../src/domain/outbox/base.ts';
import { overlayRecord, type RecordView } from '../../../src/domain/outbox/optimistic-view.ts';
import { statusOf } from '../../../src/domain/outbox/status.ts';
import { listedFields, type ResourceName, type ServerRecord } from '../../../src/domain/resource.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { siteMeta } from '../../../src/domain/resources/site-meta.ts';
import type { ChangeDraft } from '../../../src/offline/outbox/change-draft.ts';
import { follow } from '../../../src/offline/outbox/await-settled.ts';
import { withdraw } from '../../../src/offline/outbox/entry-commands.ts';
import { enqueue } from '../../../src/offline/page-saves.ts';
import { LoggedOutError } from '../../../src/offline/storage/errors.ts';
import type { SavedChange } from '../oracle/ledger.ts';
import type { StoredRecord } from '../servers/server.ts';
import type { Page } from '../world/device.ts';
import type { Random } from '../world/random.ts';
import type { Actor } from './actor.ts';
import { fieldsOfNewFiles, newValues, SETTINGS_EDITED, type Subject } from './subjects.ts';

/** A record as the administrator sees it: on the server at the last look, or only on this device. */
interface Target {
  readonly subject: Subject;
  readonly recordId: RecordId;
  readonly mark: string;
  readonly seen: StoredRecord | undefined;
  /** As of when. The world's milliseconds. */
  readonly seenAt: number;
}

/** An edit form, with the state in which it was opened. */
interface Form extends Omit<Target, 'seen'> {
  readonly view: RecordView;
  readonly user: string | undefined;
}

/** Lists and forms: everything that ends with Save or Delete. */
export class Editor {
  readonly #actor: Actor;
  #seen = new Map<ResourceName, readonly StoredRecord[]>();
  #forms: readonly Form[] = [];
  #lastMark = '';
  #lastResource: ResourceName | undefined;
  #seenSettings: Readonly<Record<string, unknown>> = {};
  /** When the lists were last loaded. The world's milliseconds. */
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(actor: Actor) {
    this.#actor = actor;
  }

  /** Reloads the lists. */
  async look(): Promise<void> {
    await this.#actor.world.really(async () => {
      for (const { resource } of this.#actor.world.subjects)
        this.#seen.set(resource, await this.#actor.otherRows(resource));
      this.#seenSettings = await this.#actor.world.server.siteMeta();
      this.#lookedAt = this.#actor.world.scheduler.now;
    });
  }

  create(random: Random, manyFiles = false): void {
    const subject = random.pick(this.#actor.world.subjects);
    const values: Record<string, string> = { ...newValues(subject, this.#actor.world.mark()) };
    if (subject.invalid !== undefined && random.chance(0.12)) values[subject.invalid[0]] = subject.invalid[1];
    const images = manyFiles ? 23 : random.between(1, 3);
    const fields = [
      ...(subject.single === undefined ? [] : [subject.single]),
      ...(subject.images ? Array.from({ length: images }, () => 'images') : []),
    ];
    const files = this.#actor.files(fields);
    const draft: ChangeDraft = { op: 'create', resource: subject.resource, values, files: files.map(([file]) => file) };
    this.#save(draft, random, {
      record: values[subject.identity] ?? '',
      touched: values,
      before: {},
      seenAt: this.#lookedAt,
      files: files.map(([, given]) => given),
    });
  }

  update(random: Random): void {
    const form = this.#form(random);
    if (form === undefined) return;
    const { subject, recordId, mark, view, seenAt } = form;
    const touched: Record<string, string> = {};
    for (const [field, write] of Object.entries(subject.edited))
      if (random.chance(0.5)) touched[field] = write(this.#actor.world.mark());
    const files = this.#actor.files(fieldsOfNewFiles(subject, random));
    const draft: ChangeDraft = {
      op: 'update',
      resource: subject.resource,
      recordId,
      values: { ...view.values, ...touched },
      files: files.map(([file]) => file),
      base: baseOfView(view),
    };
    const given = files.map(([, file]) => file);
    this.#save(draft, random, { record: mark, touched, before: view.values, seenAt, files: given });
  }

  /** Returns a form to edit a record in: opened now, or left open for a while, on this page or another. */
  #form(random: Random): Form | undefined {
    const left = this.#forms.filter(({ user }) => user === this.#actor.signedIn);
    if (left.length > 0 && random.chance(0.3)) return random.pick(left);
    const target = this.#target(random);
    if (target === undefined) return undefined;
    const { subject, recordId, mark, seen, seenAt } = target;
    const view = overlayRecord(
      resourceOf(subject.resource),
      seen?.record,
      { entries: this.#actor.waiting() },
      recordId,
    );
    if (view.entries.some(({ change }) => change.op === 'delete')) return undefined;
    const form = { subject, recordId, mark, view, seenAt, user: this.#actor.signedIn };
    this.#forms = [...this.#forms, form];
    return form;
  }

  /** The device has lost its storage and every page is gone. No form that knows a record is open any more. */
  wiped(): void {
    this.#forms = [];
  }

  delete(random: Random): void {
    const target = this.#target(random);
    if (target === undefined) return;
    const { subject, recordId, mark, seen, seenAt } = target;
    const base = seen && this.#shownBy(subject.resource, seen.record, recordId, random);
    const draft: ChangeDraft = {
      op: 'delete',
      resource: subject.resource,
      recordId,
      ...(base === undefined ? {} : { base }),
    };
    this.#save(draft, random, { record: mark, touched: {}, before: base?.values ?? {}, seenAt, files: [] });
  }

  /** What a list or an edit screen shows of a record, as the screens tell it. */
  #shownBy(name: ResourceName, record: ServerRecord, recordId: RecordId, random: Random): Base {
    const resource = resourceOf(name);
    if (random.chance(0.5)) return baseOfView(overlayRecord(resource, record, { entries: [] }, recordId));
    const { version } = record;
    const shown = Object.fromEntries(listedFields(resource).map((field) => [field, record[field]]));
    // a list of a stock back end has no versions: what it does not show is read, if there is a link
    const isRead = version === undefined && this.#actor.world.network.online;
    return baseOfRow(
      resource,
      { ...shown, ...(version !== undefined && { version }) },
      isRead ? baseOf(resource, record) : undefined,
    );
  }

  deleteImage(random: Random): void {
    const target = this.#target(random);
    const image = target?.seen?.record.images?.at(-1);
    if (target === undefined || image === undefined) return;
    const { subject, recordId, mark, seen, seenAt } = target;
    const sha256 = seen?.images.find(({ id }) => id === image.id)?.sha256 ?? '';
    this.#actor.ledger.imagesRemoved.push({ record: mark, sha256 });
    const draft: ChangeDraft = {
      op: 'delete-image',
      resource: subject.resource,
      recordId,
      imageId: image.id,
      image: image.image,
    };
    this.#save(draft, random, { record: mark, touched: {}, before: {}, seenAt, files: [], imageId: image.id });
  }

  saveSettings(random: Random): void {
    const pending = this.#actor.waiting().findLast(({ change }) => change.resource === 'site-meta')?.change;
    const stored = baseOf(siteMeta, this.#seenSettings);
    const base: Base = pending?.op === 'update' ? { ...stored, values: pending.values } : stored;
    const touched: Record<string, string> = {};
    for (const [field, write] of Object.entries(SETTINGS_EDITED))
      if (random.chance(0.5)) touched[field] = write(this.#actor.world.mark());
    const change = { op: 'update', resource: 'site-meta', recordId: '1', files: [] } as const;
    this.#save({ ...change, values: { ...base.values, ...touched }, base }, random, {
      record: 'settings',
      touched,
      before: base.values,
      seenAt: this.#lookedAt,
      files: [],
    });
  }

  /**
   * Someone presses Save in a tab that a user left open and logged out of in another one. Nothing may be saved in the name of
   * that user.
   */
  saveInLeftTab(random: Random, user: string): void {
    const { world, ledger } = this.#actor;
    const subject = random.pick(world.subjects);
    const values = newValues(subject, world.mark());
    this.#actor.do(async ({ environment, lane }) => {
      const isLeft = () => this.#actor.loggedOut.has(user);
      if (!isLeft()) return;
      const draft: ChangeDraft = { op: 'create', resource: subject.resource, values, files: [] };
      const saved = await enqueue(environment, draft, this.#actor.about(random, { administrator: user })).catch(
        onlyByStorage,
      );
      if (saved !== undefined && lane.alive && isLeft()) ledger.savedAfterLogOut.push(user);
    });
  }

  #save(
    draft: ChangeDraft,
    random: Random,
    facts: Pick<SavedChange, 'record' | 'touched' | 'before' | 'seenAt' | 'files'> & { imageId?: number },
  ): void {
    const administrator = this.#actor.signedIn;
    if (administrator === undefined) return;
    const { op, resource } = draft;
    const about = this.#actor.about(random, op === 'delete' && random.chance(0.5) ? { undoFor: 6_000 } : {});
    const stays = random.chance(0.5);
    const takesBack = random.chance(0.5);
    this.#actor.do(async (page) => {
      const { environment, lane } = page;
      const noted = this.#actor.ledger.note({ administrator, op, resource, ...facts });
      const entry = await enqueue(environment, draft, about).catch(onlyByStorage);
      if (entry === undefined) {
        noted.fate = 'refused';
        return;
      }
      if (!lane.alive) return;
      this.#actor.ledger.saved(noted, entry);
      this.#actor.world.scheduler.trace(`saved ${noted.number} ${op} ${facts.record}`);
      this.#actor.world.device.wake(page);
      if (stays) await this.#awaitAnswer(page, entry, takesBack);
    });
  }

  /** The form stays open until the server has answered or its patience ends. It may take back a refused change. */
  async #awaitAnswer({ environment, lane }: Page, saved: OutboxEntry, takesBack: boolean): Promise<void> {
    const entry = await follow(environment, saved.id).catch(onlyByStorage).catch(onlyByAnotherPage);
    if (entry === undefined || statusOf(entry) !== 'refused' || !takesBack || !lane.alive) return;
    const given = this.#actor.ledger.takeBack([saved.id]);
    await withdraw(environment, saved).catch(onlyByStorage);
    // It is no longer refused or this form's alone, may be on the server, or the storage did not answer.
    const stayed = this.#actor.world.device.entries().some(({ id }) => id === saved.id);
    if (stayed && lane.alive) given.undo();
  }

  /** Picks a record to act on: one of the server's as last seen, or one that exists only on this device. */
  #target(random: Random): Target | undefined {
    const last = this.#actor.world.subjects.find(({ resource }) => resource === this.#lastResource);
    const subject = last !== undefined && random.chance(0.4) ? last : random.pick(this.#actor.world.subjects);
    this.#lastResource = subject.resource;
    const seen = (this.#seen.get(subject.resource) ?? []).map((stored): Target => {
      const mark = String(stored.record[subject.identity]);
      return { subject, recordId: String(stored.record.id), mark, seen: stored, seenAt: this.#lookedAt };
    });
    const local = this.#actor.world.device.entries().flatMap(({ change, receipt, administrator }): Target[] => {
      if (change.op !== 'create' || change.resource !== subject.resource || administrator !== this.#actor.signedIn)
        return [];
      const stored = seen.find(({ recordId }) => recordId === String(receipt?.serverId));
      if (receipt !== undefined && stored === undefined) return [];
      // A screen that was opened before the server's confirmation still has the local id.
      const mark = change.values[subject.identity] ?? '';
      const seenAt = stored === undefined ? Number.NEGATIVE_INFINITY : this.#lookedAt;
      return [{ subject, recordId: change.recordId, mark, seen: stored?.seen, seenAt }];
    });
    const usable = [...seen, ...local];
    const again = usable.filter(({ mark }) => mark === this.#lastMark);
    const target = again.length > 0 || usable.length > 0 ? random.pick(again.length > 0 ? again : usable) : undefined;
    this.#lastMark = target?.mark ?? this.#lastMark;
    return target;
  }
}

/**
 * Accepts only that the device's storage is full or does not answer, or that the user has logged out: the app reports that, and
 * nothing was written.
 */
function onlyByStorage(failure: unknown): undefined {
  if (failure instanceof LoggedOutError) return;
  if (!(failure instanceof Error) || !/StorageFull|FileUnreadable|StorageStalled/.test(failure.name)) throw failure;
}

/** Accepts only that the change was discarded on another page before this one noticed. */
function onlyByAnotherPage(failure: unknown): undefined {
  if (!(failure instanceof Error) || !failure.message.includes('not in the outbox')) throw failure;
}
