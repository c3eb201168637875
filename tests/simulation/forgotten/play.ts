import type { OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import type { KeptAnswer } from '../../../src/domain/protocol/kept.ts';
import { type ServerRecord, textOf } from '../../../src/domain/resource.ts';
import { generators } from '../../../src/domain/resources/generators.ts';
import { isValue } from '../../../src/domain/fields.ts';
import { linkReturned, resolve, retry } from '../../../src/offline/outbox/entry-commands.ts';
import { generatorDraft, photo } from '../../offline/support/drafts.ts';
import { KeepingDevice } from '../../offline/support/keeping-device.ts';
import { RestorableServer } from '../../harness/restorable-server.ts';
import { quickDisk } from '../servers/quick-disk.ts';
import { Random } from '../world/random.ts';

/**
 * A server that loses a day: 20 devices of 4 people work, a backup is made meanwhile, they go on for a day, and the backup is
 * restored, or a snapshot of the disk put back. Then the devices come back, one after another, and send again what was
 * forgotten. The ledger is a list of confirmed changes.
 */

const DEVICES = 20;
const PEOPLE = 4;
/** How often everybody settles what asks, and at most while conflicts go on: each answer may raise another's question. */
const ROUNDS = 4;
const MOST_ROUNDS = 40;
const DAY = 24 * 60 * 60_000;

/** What a planted bug changes. */
export interface Tamper {
  /** A newer backup of the first life is restored after the older one: the bug shows there. */
  readonly restoresNewer?: true;
  /** After a device's changes were confirmed. */
  readonly confirmed?: (device: KeepingDevice) => Promise<void>;
  /** What a server says of keys before the loss. */
  readonly answer?: (answer: KeptAnswer, keys: readonly string[]) => KeptAnswer;
  /** Before a device compares after the loss. */
  readonly before?: (device: KeepingDevice) => Promise<void>;
  /** After a device has put what was forgotten back into the queue, and before it is sent. */
  readonly again?: (device: KeepingDevice) => Promise<void>;
}

/** What a world came to. */
export interface Outcome {
  readonly failures: readonly string[];
  /** Confirmed changes, and those that the server had forgotten. */
  readonly confirmed: number;
  readonly lost: number;
}

/** A confirmed change. */
interface Confirmed {
  readonly device: number;
  readonly user: number;
  readonly entry: OutboxEntry;
}

/** A record as people left it. */
interface Known {
  readonly mark: string;
  readonly id: number;
  isDeleted: boolean;
  /** Names of its photos. */
  readonly photos: Set<string>;
  readonly removed: Set<string>;
  /** Whose devices have changed it. */
  readonly devices: Set<number>;
}

/** Plays one seed. */
export async function play(seed: string, tamper: Tamper = {}): Promise<Outcome> {
  const world = await World.begin(seed, tamper);
  try {
    return await world.play();
  } finally {
    await world.server.close();
  }
}

class World {
  readonly server: RestorableServer;
  readonly #random: Random;
  readonly #tamper: Tamper;
  readonly #devices: KeepingDevice[] = [];
  readonly #owners: number[] = [];
  readonly #ledger: Confirmed[] = [];
  readonly #records: Known[] = [];
  readonly #failures: string[] = [];
  #made = 0;
  #others = 0;

  private constructor(server: RestorableServer, random: Random, tamper: Tamper) {
    this.server = server;
    this.#random = random;
    this.#tamper = tamper;
  }

  static async begin(seed: string, tamper: Tamper): Promise<World> {
    const random = new Random(seed);
    const server = await RestorableServer.open({ disk: quickDisk });
    const world = new World(server, random, tamper);
    const people = [1];
    for (let i = 1; i < PEOPLE; i += 1) people.push(await server.addUser(`Person${i}`));
    for (let i = 0; i < DEVICES; i += 1) {
      const device = new KeepingDevice(server);
      const owner = people[i % PEOPLE] ?? 1;
      await device.signIn(owner);
      world.#devices.push(device);
      world.#owners.push(owner);
    }
    return world;
  }

  async play(): Promise<Outcome> {
    const random = this.#random;
    await this.#work(0.6);
    const [backup] = await Promise.all([this.server.backUp(), this.#work(0.2)]);
    await this.#work(0.2);
    await this.server.restart();
    await this.#compareSome('after a backup');
    for (const { device } of this.#devices) device.time += DAY;
    await this.#work(1);
    const newer = random.chance(0.5) || this.#tamper.restoresNewer ? await this.server.backUp() : undefined;
    if (newer !== undefined) await this.#work(0.2);
    const before = this.#ledger.length;
    const keys = this.#ledger.map(({ entry }) => entry.idempotencyKey);
    await this.server.restore(backup);
    const lost = keys.length - (await this.#known(keys)).size;
    await this.#othersWork();
    const back = await this.#comeBack();
    if (random.chance(0.6) || this.#tamper.restoresNewer) {
      await this.server.restore(
        newer !== undefined && (random.chance(0.7) || this.#tamper.restoresNewer) ? newer : backup,
      );
      await this.#comeBack(back);
    }
    await this.#check();
    return { failures: this.#failures, confirmed: before, lost };
  }

  /** Every device works with this probability, some more than once. */
  async #work(rate: number): Promise<void> {
    const random = this.#random;
    for (let index = 0; index < DEVICES; index += 1) {
      if (!random.chance(rate)) continue;
      const device = this.#devices[index];
      if (device === undefined) continue;
      for (let times = random.between(1, 2); times > 0; times -= 1) await this.#change(device, index);
      await this.#tamper.confirmed?.(device);
    }
  }

  async #change(device: KeepingDevice, index: number): Promise<void> {
    const random = this.#random;
    const present = this.#records.filter(({ isDeleted }) => !isDeleted);
    const what =
      present.length < 3 ? 'create' : random.weighted({ create: 5, update: 4, photo: 2, delete: 2, removePhoto: 2 });
    if (what === 'create') return this.#create(device, index);
    const known = random.pick(present);
    const record = await device.ask<ServerRecord>(`${generators.endpoints.single}/${known.id}`);
    const base = baseOf(record);
    const about = { resource: 'generators', recordId: String(known.id) } as const;
    known.devices.add(index);
    if (what === 'delete') {
      await this.#confirm(device, index, { op: 'delete', ...about, base });
      known.isDeleted = true;
      return;
    }
    const image = record.images?.at(-1);
    if (what === 'removePhoto' && image !== undefined) {
      const name = await this.#originalName(textOf(image.image));
      const gone = { imageId: image.id, image: textOf(image.image) };
      await this.#confirm(device, index, { op: 'delete-image', ...about, ...gone, base });
      known.photos.delete(name);
      known.removed.add(name);
      return;
    }
    const mark = this.#mark(index);
    const files = what === 'photo' ? [photo(mark)] : [];
    const values = { ...base.values, origin: mark };
    await this.#confirm(device, index, { op: 'update', ...about, values, files, base });
    for (const { name } of files) known.photos.add(name);
  }

  async #create(device: KeepingDevice, index: number): Promise<void> {
    const mark = this.#mark(index);
    const draft = generatorDraft(mark, this.#random.between(1, 2));
    const entry = await this.#confirm(device, index, draft);
    const id = entry.receipt?.serverId ?? 0;
    const photos = new Set(draft.files.filter(({ field }) => field === 'images').map(({ name }) => name));
    this.#records.push({
      mark: `Brand ${mark}`,
      id,
      isDeleted: false,
      photos,
      removed: new Set(),
      devices: new Set([index]),
    });
  }

  async #confirm(device: KeepingDevice, index: number, draft: Parameters<KeepingDevice['make']>[0]) {
    const entry = await device.make(draft);
    this.#ledger.push({ device: index, user: device.user, entry });
    return entry;
  }

  #mark(index: number): string {
    this.#made += 1;
    return `d${index}-${this.#made}`;
  }

  async #originalName(file: string): Promise<string> {
    const { db } = this.server.services;
    const row = db.selectFrom('files').select('original_name').where('name', '=', file);
    return (await row.executeTakeFirst())?.original_name ?? '';
  }

  async #compareSome(when: string): Promise<void> {
    for (const device of this.#devices) {
      if (!this.#random.chance(0.7)) continue;
      const { answer } = this.#tamper;
      const keys = this.#ledger.map(({ entry }) => entry.idempotencyKey);
      const count = await device.compare(answer && ((told) => answer(told, keys)));
      if (count !== 0) this.#failures.push(`false alarm: ${count} ${when}`);
    }
  }

  /** In the new life somebody works before the devices come back. */
  async #othersWork(): Promise<void> {
    const other = new KeepingDevice(this.server);
    await other.signIn(1);
    for (let i = this.#random.below(3); i > 0; i -= 1) {
      this.#others += 1;
      await other.make(generatorDraft(`other-${this.#others}`));
    }
  }

  /** Devices come back in any order, most of them. Resolves to those that did. */
  async #comeBack(again?: ReadonlySet<number>): Promise<ReadonlySet<number>> {
    const random = this.#random;
    const order = this.#devices
      .map((_, index) => ({ index, place: random.next() }))
      .toSorted((a, b) => a.place - b.place);
    const back = order.map(({ index }) => index).filter((index) => again?.has(index) ?? random.chance(0.85));
    this.#absent = new Set(this.#devices.map((_, index) => index).filter((index) => !back.includes(index)));
    for (const index of back) await this.#comesBack(index);
    // what was about a record that another device has brought back since
    let isContested = true;
    for (let round = 0; round < ROUNDS || (isContested && round < MOST_ROUNDS); round += 1) {
      isContested = false;
      for (const index of back) isContested = (await this.#attend(index)) || isContested;
    }
    for (const index of back) await this.#settles(index);
    return new Set(back);
  }

  async #comesBack(index: number): Promise<void> {
    const device = this.#devices[index];
    if (device === undefined) return;
    const owner = this.#owners[index] ?? 1;
    // somebody else takes the tablet first
    if (this.#random.chance(0.3)) {
      await device.signIn(owner === 1 ? 2 : 1);
      await this.#tamper.before?.(device);
      if ((await device.compare()) !== 0) this.#failures.push('false alarm: for somebody else');
      await device.sendAgain();
    }
    await device.signIn(owner);
    const own = this.#ledger.filter((one) => one.device === index).map(({ entry }) => entry.idempotencyKey);
    const missing = own.length - (await this.#known(own)).size;
    await this.#tamper.before?.(device);
    const count = await device.compare();
    if (missing === 0 && count > 0) this.#failures.push(`false alarm: ${count} although nothing is missing`);
    await device.sendAgain(this.#tamper.again && (() => this.#tamper.again?.(device)));
  }

  /** Settles what asks: keeps the own version, and tries again what was gone. Resolves to whether there was a conflict. */
  async #attend(index: number): Promise<boolean> {
    const device = this.#devices[index];
    const waiting = (await device?.waiting()) ?? [];
    if (device === undefined || waiting.length === 0) return false;
    for (const entry of waiting) {
      if (entry.state !== 'attention') continue;
      if (entry.conflict === undefined) await retry(device.page, entry.id);
      else await resolve(device.page, entry.id, 'values' in entry.change ? entry.change.values : {});
    }
    device.device.time += 60_000;
    await linkReturned(device.page);
    await device.drain();
    return waiting.some(({ conflict }) => conflict !== undefined);
  }

  /** At the end a device has nothing to say any more. */
  async #settles(index: number): Promise<void> {
    const device = this.#devices[index];
    if (device === undefined) return;
    const gone = new Set<string>();
    for (const { reason, change } of await device.waiting()) {
      // nobody has brought its record back, or it was deleted after this change
      const known = this.#records.find(({ id }) => String(id) === change.recordId);
      const isGone = reason?.code === 'gone' && (known?.isDeleted === true || !this.#isComplete(change.recordId));
      if (isGone) gone.add(change.recordId);
      if (!gone.has(change.recordId))
        this.#failures.push(`stuck: ${change.op} ${change.recordId}: ${reason?.code} ${reason?.message}`);
    }
    const count = await device.compare();
    if (count !== 0) this.#failures.push(`false alarm: ${count} at the end`);
    if ((await device.kept()).forgotten.length > 0) this.#failures.push('false alarm: named at the end');
  }

  #absent = new Set<number>();

  /** True if all devices that changed the record have come back. */
  #isComplete(recordId: string): boolean {
    const known = this.#records.find(({ id }) => String(id) === recordId);
    return known !== undefined && [...known.devices].every((device) => !this.#absent.has(device));
  }

  async #known(keys: readonly string[]): Promise<ReadonlySet<string>> {
    if (keys.length === 0) return new Set();
    const rows = await this.server.services.db
      .selectFrom('idempotency_keys')
      .select('key')
      .where('key', 'in', keys)
      .execute();
    return new Set(rows.map(({ key }) => key));
  }

  async #check(): Promise<void> {
    await this.#checkUsers();
    const rows = await this.#rows();
    for (const known of this.#records.filter(({ id }) => this.#isComplete(String(id)))) this.#checkRecord(known, rows);
    const marks = rows.map(({ brand }) => brand);
    if (new Set(marks).size < marks.length) this.#failures.push('doubled: a record');
  }

  #checkRecord(known: Known, rows: readonly Row[]): void {
    const { mark, id, isDeleted, photos, removed } = known;
    const own = rows.filter(({ brand }) => brand === mark);
    if (own.length > 1) this.#failures.push(`doubled: ${mark}`);
    if (isDeleted && own.length > 0) this.#failures.push(`brought back: ${mark} (${id})`);
    if (isDeleted) return;
    const [row] = own;
    if (row === undefined) return void this.#failures.push(`lost: ${mark} (${id})`);
    for (const name of photos) if (!row.photos.includes(name)) this.#failures.push(`lost: photo ${name} of ${mark}`);
    for (const name of row.photos) if (removed.has(name)) this.#failures.push(`brought back: photo ${name} of ${mark}`);
    if (new Set(row.photos).size < row.photos.length) this.#failures.push(`doubled: a photo of ${mark}`);
    const last = this.#ledger.findLast(({ entry }) => isOf(entry, id) && entry.change.op === 'update');
    const isContested = this.#ledger.filter(({ entry }) => isOf(entry, id) && entry.change.op === 'update').length > 1;
    const origin = last !== undefined && 'values' in last.entry.change ? last.entry.change.values['origin'] : 'UK';
    const isAnyones = isContested && row.origin.startsWith('d');
    if (row.origin !== origin && !isAnyones) this.#failures.push(`lost: the text of ${mark}: ${row.origin}`);
  }

  /** Every change was made by its own user. */
  async #checkUsers(): Promise<void> {
    const keys = this.#ledger.map(({ entry }) => entry.idempotencyKey);
    const { db } = this.server.services;
    const rows = await db.selectFrom('idempotency_keys').select(['key', 'user_id']).where('key', 'in', keys).execute();
    const users = new Map(this.#ledger.map(({ entry, user }) => [entry.idempotencyKey, user]));
    for (const { key, user_id } of rows)
      if (users.get(key) !== user_id) this.#failures.push(`as another: a change of ${users.get(key)} by ${user_id}`);
  }

  async #rows(): Promise<readonly Row[]> {
    const { db } = this.server.services;
    const rows = await db
      .selectFrom('generators' as 'records')
      .selectAll()
      .execute();
    const images = await db
      .selectFrom('images')
      .innerJoin('files', 'files.name', 'images.image')
      .select(['images.record_id', 'files.original_name'])
      .execute();
    return rows.map((row) => {
      const texts = row as unknown as Readonly<Record<string, unknown>>;
      return {
        brand: String(texts['brand']),
        origin: String(texts['origin']),
        photos: images.filter(({ record_id }) => record_id === row.id).map(({ original_name }) => original_name),
      };
    });
  }
}

interface Row {
  readonly brand: string;
  readonly origin: string;
  readonly photos: readonly string[];
}

function isOf({ change, receipt }: OutboxEntry, id: number): boolean {
  return change.recordId === String(id) || receipt?.serverId === id;
}

function baseOf(record: ServerRecord) {
  const texts = generators.fields.filter(isValue).map(({ name }) => [name, textOf(record[name])] as const);
  const { images = [], version } = record;
  return { values: Object.fromEntries(texts), imageIds: images.map(({ id }) => id), version: textOf(version) };
}
