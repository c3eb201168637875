import { isDeepStrictEqual } from 'node:util';
import type { OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import { sameText } from '../../../src/domain/outbox/conflict.ts';
import type { Arrival } from './arrivals.ts';
import type { GivenFile, Ledger, SavedChange } from './ledger.ts';
import type { StoredRecord } from '../servers/server.ts';
import { SUBJECTS } from '../stage/subjects.ts';
import type { World } from '../world/world.ts';

/** What the server holds in the end, by the record's mark: more than one row under a mark is a double. */
type Holdings = ReadonlyMap<string, readonly StoredRecord[]>;

/** The promises of the outbox, checked against what was saved and what the server was seen to do. */
export class Oracle {
  readonly failures: string[] = [];
  readonly #world: World;
  readonly #ledger: Ledger;
  /** The record's mark by kind and server id. */
  readonly #marks = new Map<string, string>();

  constructor(world: World, ledger: Ledger) {
    this.#world = world;
    this.#ledger = ledger;
  }

  /** What was said to be saved is stored: to be asked whenever a page or the worker was killed. */
  checkStored(): void {
    const present = new Set(this.#world.device.entries().map(({ id }) => id));
    for (const change of this.#ledger.changes) {
      if (change.fate !== 'kept' || change.entryId === undefined || present.has(change.entryId)) continue;
      // a delete makes moot what was never sent of its record
      if (this.#ledger.deletedAfter(change)) continue;
      this.#fail(`lost: change ${change.number} (${change.op} ${change.record}) was saved and is not in the outbox`);
    }
  }

  /** Everything else: to be asked when the queue has drained. */
  async checkAll(): Promise<void> {
    this.checkStored();
    this.#checkDrained();
    this.#checkLeftAlone();
    const holdings = await this.#world.really(() => this.#holdings());
    this.#readMarks();
    for (const change of this.#ledger.changes) {
      this.#checkCarriedOut(change, holdings);
      this.#checkFiles(change, holdings);
    }
    this.#checkCreatesOnce();
    this.#checkArrivals();
    this.#checkOrder();
    this.#checkNothingOverwritten();
    this.#checkReceipts(holdings);
    for (const oddity of this.#world.device.oddities) {
      if (!/QuotaExceeded|StorageFull|not refused any more/.test(oddity)) this.#fail(`odd: ${oddity}`);
    }
  }

  #fail(text: string): void {
    if (!this.failures.includes(text)) this.failures.push(text);
  }

  #checkDrained(): void {
    for (const entry of this.#world.device.entries()) {
      if (entry.state === 'done' || entry.schema >= 99) continue;
      this.#fail(`stuck: ${entry.change.op} is still ${entry.state} (${entry.reason?.code}: ${entry.reason?.message})`);
    }
  }

  /** What a newer version of the app has written is as it was. */
  #checkLeftAlone(): void {
    const now = new Map(this.#world.device.entries().map((entry) => [entry.sequence, entry]));
    for (const [sequence, written] of this.#ledger.unreadable) {
      const before = JSON.parse(written) as OutboxEntry;
      if (!isDeepStrictEqual(JSON.parse(JSON.stringify(now.get(sequence) ?? {})), before))
        this.#fail(`touched: ${before.id}`);
    }
  }

  async #holdings(): Promise<Holdings> {
    const holdings = new Map<string, StoredRecord[]>();
    for (const { resource, identity } of SUBJECTS) {
      for (const stored of await this.#world.server.stored(resource)) {
        const mark = String(stored.record[identity]);
        holdings.set(mark, [...(holdings.get(mark) ?? []), stored]);
      }
    }
    const settings = await this.#world.server.siteMeta();
    holdings.set('settings', [{ record: { id: 1, ...settings }, files: {}, images: [] }]);
    return holdings;
  }

  #readMarks(): void {
    for (const arrival of this.#effects()) {
      const subject = SUBJECTS.find(({ resource }) => resource === arrival.resource);
      if (arrival.op !== 'create' || subject === undefined) continue;
      this.#marks.set(`${subject.resource}/${arrival.id}`, arrival.values[subject.identity] ?? '');
    }
  }

  #effects(): Arrival[] {
    return this.#world.arrivals.filter(({ effective }) => effective);
  }

  /** The record that an arrival is about. */
  #recordOf({ op, resource, id }: Arrival): string {
    if (op === 'delete-image') return this.#ledger.changes.find(({ imageId }) => imageId === id)?.record ?? '';
    return op === 'save-settings' ? 'settings' : (this.#marks.get(`${resource}/${id}`) ?? '');
  }

  #effectsOn(record: string): Arrival[] {
    return this.#effects().filter((arrival) => this.#recordOf(arrival) === record);
  }

  #ownEffectsOn(record: string): Arrival[] {
    return this.#effectsOn(record).filter(({ from }) => from !== 'elsewhere');
  }

  /** 0 lost. */
  #checkCarriedOut(change: SavedChange, holdings: Holdings): void {
    if (change.fate !== 'kept') return;
    const own = this.#ownEffectsOn(change.record);
    const rows = holdings.get(change.record) ?? [];
    switch (change.op) {
      case 'create':
        if (!own.some(({ op }) => op === 'create') && !this.#ledger.deletedAfter(change))
          this.#failLost(change, 'was never made');
        return;
      case 'delete':
        if (rows.length > this.#twinsOf(change.record)) this.#failLost(change, 'is still there');
        return;
      case 'delete-image':
        if (rows.some(({ images }) => images.some(({ id }) => id === change.imageId)))
          this.#failLost(change, 'image is still there');
        return;
      default:
        this.#checkFields(change, own);
    }
  }

  #checkFields(change: SavedChange, own: readonly Arrival[]): void {
    if (this.#isMoot(change)) return;
    for (const [field, value] of Object.entries(change.touched)) {
      if (change.overruled.has(field) || this.#ledger.superseded(change, ({ touched }) => touched[field] !== undefined))
        continue;
      if (!own.some(({ values }) => sameText(values[field], value))) this.#failLost(change, `${field} never arrived`);
    }
  }

  /** The record is gone, or was to go: what was edited before does not matter any more. */
  #isMoot(change: SavedChange): boolean {
    return this.#ledger.deletedAfter(change) || this.#ledger.removedElsewhere.has(change.record);
  }

  #failLost(change: SavedChange, what: string): void {
    this.#fail(`lost: change ${change.number} (${change.op} ${change.record}): ${what}`);
  }

  /** 0 lost, 0 doubled, in their order, byte for byte: the files of a change. */
  #checkFiles(change: SavedChange, holdings: Holdings): void {
    const rows = holdings.get(change.record) ?? [];
    const [row] = rows;
    if (row === undefined || change.fate === 'refused' || this.#isMoot(change)) return;
    const given = change.files.filter(({ field }) => field === 'images');
    const images = given.map(({ sha256 }) => sha256);
    const stored = row.images.flatMap(({ sha256 }) => given.find((file) => isOf(file, sha256))?.sha256 ?? []);
    if (new Set(stored).size < stored.length && !this.#wasRepeated(change.record))
      this.#fail(`doubled: an image of ${change.record}`);
    if (change.fate !== 'kept') return;
    const missing = images.filter((sha256) => !stored.includes(sha256));
    if (missing.length > 0 && !this.#imagesRemovedFrom(change.record))
      this.#failLost(change, `${missing.length} images`);
    const wanted = images.filter((sha256) => stored.includes(sha256));
    if (!this.#wasRepeated(change.record) && wanted.join() !== stored.join())
      this.#fail(`reordered: images of ${change.record}`);
    for (const file of change.files.filter(({ field: name }) => name !== 'images')) {
      const { field } = file;
      const other = this.#ledger.superseded(change, ({ files }) => files.some((one) => one.field === field));
      if (!other && !change.overruled.has(field) && !isOf(file, row.files[field]))
        this.#failLost(change, `its ${field}`);
    }
  }

  #imagesRemovedFrom(record: string): boolean {
    return (
      this.#ledger.changes.some(({ op, record: other }) => op === 'delete-image' && other === record) ||
      this.#ledger.imagesRemovedElsewhere.size > 0
    );
  }

  /** The browser repeated a request by itself, to a server that cannot know: what doubles then is shown, not removed. */
  #wasRepeated(record: string): boolean {
    return this.#effectsOn(record).some(({ repeated }) => repeated);
  }

  #twinsOf(record: string): number {
    return this.#ownEffectsOn(record).filter(({ op, repeated }) => op === 'create' && repeated).length;
  }

  /**
   * Rows that somebody elsewhere removed from a server that knows no keys. One that went before it was read back cannot be told
   * from one that never was, so it is made again: there is still only one.
   */
  #removedUnseen(record: string): number {
    if (this.#world.server.name === 'own') return 0;
    return this.#effectsOn(record).filter(({ op, from }) => op === 'delete' && from === 'elsewhere').length;
  }

  /** 0 doubled. */
  #checkCreatesOnce(): void {
    for (const change of this.#ledger.changes) {
      if (change.op !== 'create') continue;
      const made = this.#ownEffectsOn(change.record).filter(({ op }) => op === 'create');
      const most = change.fate === 'refused' ? 0 : 1 + this.#removedUnseen(change.record);
      if (made.length - this.#twinsOf(change.record) > most)
        this.#fail(`doubled: ${change.record} was made ${made.length} times`);
    }
  }

  /** 0 under another user, no bytes but those that were given, nothing that nobody saved. */
  #checkArrivals(): void {
    for (const arrival of this.#world.arrivals) {
      if (arrival.from === 'elsewhere') continue;
      for (const { field, sha256 } of arrival.files) {
        if (!this.#ledger.picked.has(sha256)) this.#fail(`bytes: a ${field} arrived that nobody gave`);
      }
      if (!arrival.effective) continue;
      const record = this.#recordOf(arrival);
      const user = this.#world.userOf(arrival.token);
      const authors = this.#ledger.changes.filter(
        (change) => change.record === record && this.#couldBe(arrival, change),
      );
      if (authors.length === 0) this.#fail(`out of nothing: ${arrival.op} of ${record}`);
      else if (!authors.some(({ administrator }) => administrator === user))
        this.#fail(`wrong user: ${arrival.op} of ${record} went as user ${user}`);
    }
  }

  #couldBe({ op, values }: Arrival, change: SavedChange): boolean {
    if (op === 'delete-image') return change.op === op;
    if (op === 'create' || op === 'delete') return change.op === op;
    if (change.op !== 'update' && change.op !== 'create' && change.op !== 'save-settings') return false;
    const touched = Object.entries(change.touched);
    return (
      touched.length === 0 ||
      change.overruled.size > 0 ||
      change.files.length > 0 ||
      touched.some(([field, value]) => sameText(values[field], value))
    );
  }

  /** 0 reordered within a record: of each field, what was saved later also arrives later. */
  #checkOrder(): void {
    for (const [record, administrator] of this.#hands()) {
      const places = new Map<string, number>();
      for (const change of this.#ledger.changes) {
        if (
          change.record !== record ||
          change.administrator !== administrator ||
          change.fate === 'given up' ||
          change.overruled.size > 0
        )
          continue;
        for (const [field, value] of Object.entries(change.touched))
          places.set(`${field}=${value.trim()}`, change.number);
      }
      const last = new Map<string, number>();
      for (const arrival of this.#ownEffectsOn(record)) {
        for (const [field, value] of Object.entries(arrival.values)) {
          const place = places.get(`${field}=${value.trim()}`);
          if (place === undefined) continue;
          if (place < (last.get(field) ?? 0))
            this.#fail(`reordered: ${field} of ${record} went back to change ${place}`);
          last.set(field, Math.max(place, last.get(field) ?? 0));
        }
      }
    }
  }

  /** Who has worked on what. */
  #hands(): readonly (readonly [record: string, administrator: string])[] {
    const pairs = this.#ledger.changes.map(
      ({ record, administrator }) => [`${record}/${administrator}`, [record, administrator]] as const,
    );
    return [...new Map(pairs).values()];
  }

  /** What somebody elsewhere wrote is not overwritten by someone who has not seen it. */
  #checkNothingOverwritten(): void {
    for (const record of new Set(this.#ledger.changes.map((change) => change.record))) {
      const theirs = new Map<string, { value: string; at: number }>();
      for (const arrival of this.#effectsOn(record)) {
        for (const [field, value] of Object.entries(arrival.values)) {
          const before = theirs.get(field);
          if (arrival.from === 'elsewhere') {
            if (arrival.op !== 'create' && !sameText(before?.value, value))
              theirs.set(field, { value, at: arrival.at });
          } else if (before !== undefined && !sameText(before.value, value)) {
            if (!this.#mayOverwrite(record, field, before, arrival))
              this.#fail(`overwritten: ${field} of ${record} held ${before.value}`);
            theirs.delete(field);
          }
        }
      }
    }
  }

  #mayOverwrite(record: string, field: string, theirs: { value: string; at: number }, arrival: Arrival): boolean {
    const knew = this.#ledger.changes.some(
      (change) =>
        change.record === record &&
        (change.decided.has(field) || change.overruled.has(field) || sameText(change.before[field], theirs.value)),
    );
    // a stock back end cannot say no: what was written between our look and our write goes
    return knew || (this.#world.server.name === 'contract-only' && arrival.at - theirs.at < 60_000);
  }

  /** What the outbox says is done, the server has. */
  #checkReceipts(holdings: Holdings): void {
    for (const entry of this.#world.device.entries()) {
      if (entry.state !== 'done' || entry.schema >= 99) continue;
      const changes = this.#ledger.in(entry.id);
      if (changes.some(({ fate }) => fate === 'given up')) continue;
      this.#checkReceipt(entry, changes, holdings);
    }
  }

  #checkReceipt({ change, receipt }: OutboxEntry, saved: readonly SavedChange[], holdings: Holdings): void {
    const [first] = saved;
    if (first === undefined) return;
    const rows = holdings.get(first.record) ?? [];
    const own = this.#ownEffectsOn(first.record);
    if (change.op === 'create' && !own.some(({ op }) => op === 'create'))
      this.#fail(`untrue: ${first.record} is said to be made`);
    if (
      change.op === 'create' &&
      receipt?.serverId !== undefined &&
      !own.some(({ op, id }) => op === 'create' && id === receipt.serverId)
    ) {
      this.#fail(`untrue: ${first.record} is said to be number ${receipt.serverId}`);
    }
    if (change.op === 'delete' && rows.length > this.#twinsOf(first.record))
      this.#fail(`untrue: ${first.record} is said to be gone`);
    const extra = own.filter(({ op }) => op === 'create').length - 1;
    if (
      change.op === 'create' &&
      extra > 0 &&
      receipt?.message !== 'It had arrived.' &&
      (receipt?.twins?.length ?? 0) === 0 &&
      rows.length > 1
    ) {
      this.#fail(`untold: ${first.record} has a twin that the receipt does not show`);
    }
  }
}

/** The bytes are a given file's, or those of the one that it was picked for once more. */
function isOf({ sha256, insteadOf }: GivenFile, stored: string | undefined): boolean {
  return stored !== undefined && (stored === sha256 || stored === insteadOf);
}
