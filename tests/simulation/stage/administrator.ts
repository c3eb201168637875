import { type Base, type OutboxEntry, type RecordId } from '../../../src/domain/outbox/vocabulary.ts';
import { baseOf, baseOfView } from '../../../src/domain/outbox/base.ts';
import { compare } from '../../../src/domain/outbox/conflict.ts';
import { overlayRecord, type RecordView } from '../../../src/domain/outbox/overlay.ts';
import type { ResourceName } from '../../../src/domain/resource.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { SITE_META } from '../../../src/domain/site-meta.ts';
import * as actions from '../../../src/offline/actions.ts';
import type { ChangeDraft, DraftAbout, PickedFile } from '../../../src/offline/draft.ts';
import { enqueue } from '../../../src/offline/enqueue.ts';
import { openFile } from '../../../src/offline/files.ts';
import { filesToMend, repair } from '../../../src/offline/repair.ts';
import { forgetSession, rememberSession } from '../../../src/offline/session-copy.ts';
import { leaveQueue } from '../../../src/offline/sign-out.ts';
import type { GivenFile, Ledger, SavedChange } from '../oracle/ledger.ts';
import type { Random } from '../world/random.ts';
import type { StoredRecord } from '../servers/server.ts';
import {
  fieldsOfNewFiles,
  newValues,
  picked,
  sampleFor,
  SETTINGS_EDITED,
  SUBJECTS,
  type Subject,
  subjectOf,
} from './subjects.ts';
import type { Context } from '../world/device.ts';
import type { World } from '../world/world.ts';

/** A record as the administrator finds it: on the server when it was last looked at, or only on this device. */
interface Target {
  readonly subject: Subject;
  readonly recordId: RecordId;
  readonly mark: string;
  readonly seen: StoredRecord | undefined;
}

/** An edit form as it was when it was opened. */
interface Form extends Omit<Target, 'seen'> {
  readonly view: RecordView;
  readonly user: string | undefined;
}

/** Who sits at the device, and everything they do there through the outbox's own doors. */
export class Administrator {
  /** The one who is signed in, as the pages show it. */
  signedIn: string | undefined;
  readonly #world: World;
  readonly #ledger: Ledger;
  /** Tells that waits are ended by hand. */
  readonly #hurry: () => void;
  #seen = new Map<ResourceName, readonly StoredRecord[]>();
  readonly #forms: Form[] = [];
  readonly #doing = new WeakMap<Context, Promise<void>>();
  #lastMark = '';
  #lastResource: ResourceName | undefined;
  #seenSettings: Readonly<Record<string, unknown>> = {};

  constructor(world: World, ledger: Ledger, hurry: () => void) {
    this.#world = world;
    this.#ledger = ledger;
    this.#hurry = hurry;
  }

  /** What waits, of the one who is signed in. */
  waiting(): OutboxEntry[] {
    return this.#waitingFor(this.signedIn);
  }

  #waitingFor(user: string | undefined): OutboxEntry[] {
    const entries = this.#world.device.entries();
    return entries.filter(
      ({ state, administrator, schema }) => state !== 'done' && administrator === user && schema < 99,
    );
  }

  async signIn(user: string): Promise<void> {
    const token = await this.#world.really(() => this.#world.signIn(user));
    this.signedIn = user;
    this.#do(async ({ environment }) => {
      await rememberSession({ administrator: user, name: user, token, rememberAcrossRestarts: true }, environment);
    });
  }

  signOut(random: Random): void {
    const user = this.signedIn;
    if (user === undefined) return;
    const policy = random.chance(0.85) ? 'keep' : 'discard';
    this.signedIn = undefined;
    this.#do(async ({ environment }) => {
      if (policy === 'discard') {
        this.#ledger.giveUp(this.#waitingFor(user).map(({ id }) => id));
        this.#ledger.unreadable.clear();
      }
      await leaveQueue(environment, user, policy);
      await forgetSession(environment);
    });
  }

  /** The lists are loaded anew. */
  async look(): Promise<void> {
    await this.#world.really(async () => {
      for (const { resource } of SUBJECTS) this.#seen.set(resource, await this.#world.server.stored(resource));
      this.#seenSettings = await this.#world.server.siteMeta();
    });
  }

  create(random: Random, manyFiles = false): void {
    const subject = random.pick(SUBJECTS);
    const values: Record<string, string> = { ...newValues(subject, this.#world.mark()) };
    if (subject.invalid !== undefined && random.chance(0.12)) values[subject.invalid[0]] = subject.invalid[1];
    const images = manyFiles ? 23 : random.between(1, 3);
    const fields = [
      ...(subject.single === undefined ? [] : [subject.single]),
      ...(subject.images ? Array.from({ length: images }, () => 'images') : []),
    ];
    const files = this.#files(fields);
    const draft: ChangeDraft = { op: 'create', resource: subject.resource, values, files: files.map(([file]) => file) };
    this.#save(draft, random, {
      record: values[subject.identity] ?? '',
      touched: values,
      before: {},
      files: files.map(([, given]) => given),
    });
  }

  update(random: Random): void {
    const form = this.#form(random);
    if (form === undefined) return;
    const { subject, recordId, mark, view } = form;
    const touched: Record<string, string> = {};
    for (const [field, write] of Object.entries(subject.edited))
      if (random.chance(0.5)) touched[field] = write(this.#world.mark());
    const files = this.#files(fieldsOfNewFiles(subject, random));
    const draft: ChangeDraft = {
      op: 'update',
      resource: subject.resource,
      recordId,
      values: { ...view.values, ...touched },
      files: files.map(([file]) => file),
      base: baseOfView(view),
    };
    this.#save(draft, random, { record: mark, touched, before: view.values, files: files.map(([, given]) => given) });
  }

  /** A form to edit a record in: opened now, or left open for a while, on this page or another. */
  #form(random: Random): Form | undefined {
    const left = this.#forms.filter(({ user }) => user === this.signedIn);
    if (left.length > 0 && random.chance(0.3)) return random.pick(left);
    const target = this.#target(random);
    if (target === undefined) return undefined;
    const { subject, recordId, mark, seen } = target;
    const view = overlayRecord(resourceOf(subject.resource), seen?.record, this.waiting(), recordId);
    if (view.entries.some(({ change }) => change.op === 'delete')) return undefined;
    const form = { subject, recordId, mark, view, user: this.signedIn };
    this.#forms.push(form);
    return form;
  }

  delete(random: Random): void {
    const target = this.#target(random);
    if (target === undefined) return;
    const { subject, recordId, mark, seen } = target;
    const base: Base | undefined = seen === undefined ? undefined : baseOf(resourceOf(subject.resource), seen.record);
    const draft: ChangeDraft = {
      op: 'delete',
      resource: subject.resource,
      recordId,
      ...(base === undefined ? {} : { base }),
    };
    this.#save(draft, random, { record: mark, touched: {}, before: base?.values ?? {}, files: [] });
  }

  deleteImage(random: Random): void {
    const target = this.#target(random);
    const image = target?.seen?.record.images?.at(-1);
    if (target === undefined || image === undefined) return;
    const { subject, recordId, mark } = target;
    const draft: ChangeDraft = {
      op: 'delete-image',
      resource: subject.resource,
      recordId,
      imageId: image.id,
      image: image.image,
    };
    this.#save(draft, random, { record: mark, touched: {}, before: {}, files: [], imageId: image.id });
  }

  saveSettings(random: Random): void {
    const pending = this.waiting().findLast(({ change }) => change.op === 'save-settings')?.change;
    const stored = baseOf(SITE_META, this.#seenSettings);
    const base: Base = pending?.op === 'save-settings' ? { ...stored, values: pending.values } : stored;
    const touched: Record<string, string> = {};
    for (const [field, write] of Object.entries(SETTINGS_EDITED))
      if (random.chance(0.5)) touched[field] = write(this.#world.mark());
    this.#save({ op: 'save-settings', values: { ...base.values, ...touched }, base }, random, {
      record: 'settings',
      touched,
      before: base.values,
      files: [],
    });
  }

  undo(): void {
    const entry = this.waiting().findLast(({ change }) => change.op === 'delete');
    if (entry === undefined) return;
    this.#do(async ({ environment, lane }) => {
      const undone = await actions.undo(environment, entry.id);
      // told or not, it may have been taken back
      if (undone || !lane.alive) this.#ledger.giveUp([entry.id]);
    });
  }

  sendNow(): void {
    this.#hurry();
    this.#do(({ environment }) => actions.sendNow(environment));
  }

  /** Looks after every change that waits for the administrator. `patient` tries again rather than give up. */
  attend(random: Random, patient = false): void {
    const entries = this.waiting();
    if (entries.some(({ state }) => state === 'refused')) this.#hurry();
    for (const entry of entries) {
      if (entry.state === 'conflict') this.#decide(entry, random, patient);
      if (entry.state === 'refused') this.#mend(entry, random, patient);
    }
  }

  #decide(entry: OutboxEntry, random: Random, patient: boolean): void {
    const theirs = entry.conflict?.theirs;
    if (theirs === undefined) return;
    if (!patient && random.chance(0.2)) return this.#discard(entry);
    const { conflicts, merged } = compare(entry.change, theirs);
    const chosen: Record<string, string> = { ...merged };
    const own = this.#ledger.in(entry.id);
    for (const field of conflicts) {
      const mine = random.chance(0.5);
      if (!mine && theirs.values[field] !== undefined) chosen[field] = theirs.values[field];
      for (const change of own) (mine ? change.decided : change.overruled).add(field);
    }
    this.#do(({ environment }) => actions.resolve(environment, entry.id, chosen));
  }

  #mend(entry: OutboxEntry, random: Random, patient: boolean): void {
    const code = entry.reason?.code;
    if (code === 'several-candidates') return this.#sayWhichOne(entry);
    if (code === 'gone' || (!patient && random.chance(0.1))) return this.#discard(entry);
    if (code === 'file-lost' || entry.reason?.status === 422) return this.#repair(entry, random);
    if (random.chance(0.3) && 'values' in entry.change) return this.#repair(entry, random);
    this.#do(({ environment }) => actions.retry(environment, entry.id));
  }

  /** The administrator looks at the server: is there a row of this create that no other change has claimed? */
  #sayWhichOne(entry: OutboxEntry): void {
    const claimed = this.#world.device.entries().flatMap(({ change, receipt }) => {
      const isSameKind =
        change.op === 'create' && entry.change.op === 'create' && change.resource === entry.change.resource;
      return isSameKind ? (receipt?.serverId ?? []) : [];
    });
    const id = entry.candidates?.find((candidate) => !claimed.includes(candidate));
    this.#do(({ environment }) =>
      id === undefined ? actions.retry(environment, entry.id) : actions.adopt(environment, entry.id, id),
    );
  }

  #discard(entry: OutboxEntry): void {
    this.#do(async ({ environment }) => {
      const others = await actions.discardedWith(environment, entry.id);
      const whole = entry.partOf === undefined ? [] : [entry.partOf];
      this.#ledger.giveUp([entry.id, ...whole, ...others.map(({ id }) => id)]);
      await actions.discard(environment, entry.id);
    });
  }

  /** The form is opened on a refused change, mended and saved again. Files that were lost are picked anew. */
  #repair(entry: OutboxEntry, random: Random): void {
    const { change } = entry;
    if (!('values' in change)) return this.#do(({ environment }) => actions.retry(environment, entry.id));
    const mended: Record<string, string> = { ...change.values };
    if (change.op !== 'save-settings') {
      const { invalid, edited } = subjectOf(change.resource);
      const write = invalid === undefined ? undefined : edited[invalid[0]];
      if (invalid !== undefined && write !== undefined && mended[invalid[0]] === invalid[1])
        mended[invalid[0]] = write(this.#world.mark());
    }
    this.#do(async ({ environment, lane }) => {
      const lost = new Map<string, GivenFile>();
      const files: PickedFile[] = [];
      for (const reference of await filesToMend(environment, entry.id)) {
        const { field, name, type, sha256 } = reference;
        const blob = await openFile(environment, reference).catch(() => undefined);
        const [anew, given] = this.#file(field);
        files.push(blob === undefined ? anew : { field, blob, name, type });
        if (blob === undefined) lost.set(sha256, { ...given, insteadOf: sha256 });
      }
      const draft = (
        change.op === 'save-settings' ? { ...change, values: mended } : { ...change, values: mended, files }
      ) as ChangeDraft;
      if (!lane.alive) return;
      for (const own of this.#ledger.in(entry.id)) {
        own.files = own.files.map((file) => lost.get(file.sha256) ?? lost.get(file.insteadOf ?? '') ?? file);
        const renewed = Object.keys(own.touched).map((field) => [field, mended[field] ?? ''] as const);
        if (own === this.#ledger.in(entry.id).at(-1)) own.touched = Object.fromEntries(renewed);
      }
      await repair(environment, entry.id, draft, this.#about(random));
    });
  }

  #save(
    draft: ChangeDraft,
    random: Random,
    facts: Pick<SavedChange, 'record' | 'touched' | 'before' | 'files'> & { imageId?: number },
  ): void {
    const administrator = this.signedIn;
    if (administrator === undefined) return;
    const { op } = draft;
    const resource = draft.op === 'save-settings' ? undefined : draft.resource;
    const about = this.#about(random, op === 'delete' && random.chance(0.5) ? { undoFor: 6_000 } : {});
    this.#do(async ({ environment, lane }) => {
      const noted = this.#ledger.note({ administrator, op, resource, ...facts });
      try {
        const entry = await enqueue(environment, draft, about);
        if (!lane.alive) return;
        noted.entryId = entry.id;
        noted.fate = 'kept';
        this.#world.scheduler.trace(`saved ${noted.number} ${op} ${facts.record}`);
      } catch (failure) {
        if (failure instanceof Error && /StorageFull|FileUnreadable/.test(failure.name)) noted.fate = 'refused';
        else throw failure;
      }
    });
  }

  #about(random: Random, more: Partial<DraftAbout> = {}): DraftAbout {
    return { administrator: this.signedIn ?? '', title: `change ${random.below(100)}`, ...more };
  }

  /** A record to do something with: one of the server's as last seen, or one that only this device has. */
  #target(random: Random): Target | undefined {
    const last = SUBJECTS.find(({ resource }) => resource === this.#lastResource);
    const subject = last !== undefined && random.chance(0.4) ? last : random.pick(SUBJECTS);
    this.#lastResource = subject.resource;
    const seen = (this.#seen.get(subject.resource) ?? []).map((stored): Target => {
      const mark = String(stored.record[subject.identity]);
      return { subject, recordId: String(stored.record.id), mark, seen: stored };
    });
    const local = this.#world.device.entries().flatMap(({ change, receipt, administrator }): Target[] => {
      if (change.op !== 'create' || change.resource !== subject.resource || administrator !== this.signedIn) return [];
      const stored = seen.find(({ recordId }) => recordId === String(receipt?.serverId));
      if (receipt !== undefined && stored === undefined) return [];
      // a screen that was opened before the server confirmed still has the local id
      return [{ subject, recordId: change.recordId, mark: change.values[subject.identity] ?? '', seen: stored?.seen }];
    });
    const usable = [...seen, ...local];
    const again = usable.filter(({ mark }) => mark === this.#lastMark);
    const target = again.length > 0 || usable.length > 0 ? random.pick(again.length > 0 ? again : usable) : undefined;
    this.#lastMark = target?.mark ?? this.#lastMark;
    return target;
  }

  #files(fields: readonly string[]): (readonly [PickedFile, GivenFile])[] {
    return fields.map((field) => this.#file(field));
  }

  #file(field: string): readonly [PickedFile, GivenFile] {
    const sample = sampleFor(field, this.#world.mark());
    this.#ledger.picked.add(sample.sha256);
    return [picked(field, sample), { field, sha256: sample.sha256 }];
  }

  /** Something done in a page, which may die in the middle of it. A person does one thing after the other. */
  #do(work: (page: Context) => Promise<unknown>): void {
    const { device, scheduler } = this.#world;
    const page = device.pages.at(-1) ?? device.openPage();
    scheduler.soon(() => {
      const before = this.#doing.get(page) ?? Promise.resolve();
      const done = before
        .then(() => work(page))
        .then(() => device.wake(page))
        .catch((failure: unknown) => {
          if (page.lane.alive) device.oddities.push(`${page.lane.name}: ${String(failure)}`);
        });
      this.#doing.set(page, done);
    }, page.lane);
  }
}
