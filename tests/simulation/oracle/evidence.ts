import type { StoredRecord } from '../servers/server.ts';
import type { Subject } from '../scenario/subjects.ts';
import type { World } from '../world/world.ts';
import type { Arrival } from './arrivals.ts';
import type { Ledger } from './ledger.ts';

/** A stock back end accepts no more files at once. */
const FILES_IN_A_REQUEST = 20;

/** The server's final data, by the record's mark. Several rows with the same mark are duplicates. */
type Holdings = ReadonlyMap<string, readonly StoredRecord[]>;

/** What is known from outside when the queue has drained: the server's observed actions and its data. */
export class Evidence {
  readonly world: World;
  readonly ledger: Ledger;
  readonly #holdings: Holdings;
  readonly #effects: readonly Arrival[];
  /** The record's mark by resource and server id. */
  readonly #marks: ReadonlyMap<string, string>;

  private constructor(world: World, ledger: Ledger, holdings: Holdings) {
    this.world = world;
    this.ledger = ledger;
    this.#holdings = holdings;
    this.#effects = world.arrivals.filter(({ effective }) => effective);
    this.#marks = marksOf(this.#effects, world.subjects, ledger);
  }

  /** Reads the server. */
  static async of(world: World, ledger: Ledger): Promise<Evidence> {
    return new Evidence(world, ledger, await world.really(() => holdingsOf(world, ledger)));
  }

  get onStockServer(): boolean {
    return this.world.server.name === 'contract-only';
  }

  rowsOf(record: string): readonly StoredRecord[] {
    return this.#holdings.get(record) ?? [];
  }

  /**
   * True if someone else can write between the check of a record and the write, because the back end does not compare
   * versions.
   */
  get hasGap(): boolean {
    return this.world.server.name !== 'own';
  }

  /** The record of an arrival. */
  recordOf({ op, resource, id }: Arrival): string {
    if (op === 'delete-image') return this.ledger.changes.find(({ imageId }) => imageId === id)?.record ?? '';
    return resource === 'site-meta' ? 'settings' : (this.#marks.get(`${resource}/${id}`) ?? '');
  }

  effectsOn(record: string): readonly Arrival[] {
    return this.#effects.filter((arrival) => this.recordOf(arrival) === record);
  }

  ownEffectsOn(record: string): readonly Arrival[] {
    return this.effectsOn(record).filter(({ from }) => from !== 'elsewhere');
  }

  /**
   * True if the browser repeated a request to a server that cannot detect it. Resulting duplicates are shown, not removed.
   */
  wasRepeated(record: string): boolean {
    return this.effectsOn(record).some(({ repeated }) => repeated);
  }

  twinsOf(record: string): number {
    return this.ownEffectsOn(record).filter(({ op, repeated }) => op === 'create' && repeated).length;
  }

  /**
   * The number of rows that were removed from a server without keys, by someone elsewhere or before a copy of the create
   * was imported. A row that was removed before it was read back cannot be distinguished from one that never existed, so it
   * is created again: there is still only one.
   */
  removedUnseen(record: string): number {
    if (this.world.server.name === 'own') return 0;
    const removed = this.effectsOn(record).filter(({ op }) => op === 'delete');
    return removed.filter(({ from }) => from === 'elsewhere' || this.ledger.takenIn.has(record)).length;
  }

  /**
   * The number of creates that a gateway reverted because a later part was refused. A change with more files than one
   * request of the back end accepts is stored as a whole or not at all.
   */
  takenBack(record: string): number {
    const { changes } = this.ledger;
    const isDivided = changes.some((change) => change.record === record && change.files.length > FILES_IN_A_REQUEST);
    if (this.world.server.name !== 'gateway' || !isDivided) return 0;
    const byHand = changes.some((change) => change.record === record && change.op === 'delete') ? 1 : 0;
    return Math.max(0, this.ownEffectsOn(record).filter(({ op }) => op === 'delete').length - byHand);
  }

  /** The number of rows of the record that nobody elsewhere has edited or taken an image from. */
  untouchedRows(record: string): number {
    const edited = this.effectsOn(record).filter(({ from }) => from === 'elsewhere');
    const bared = this.ledger.imagesRemoved.filter((image) => image.record === record);
    const touched = new Set([...edited.map(({ id }) => id), ...bared.map(({ row }) => row)]);
    return this.rowsOf(record).filter((row) => !touched.has(row.record.id)).length;
  }

  /** True if someone elsewhere has replaced a single file of the record. */
  readonly replacedElsewhere = (record: string, field: string): boolean =>
    this.effectsOn(record).some(
      ({ from, op, files }) => from === 'elsewhere' && op === 'update' && files.some((file) => file.field === field),
    );

  /** True if a copy of the create was imported and sent to a server without keys, perhaps after the record was deleted. */
  mayHaveComeBack(record: string): boolean {
    return this.onStockServer && this.ledger.takenIn.has(record);
  }

  /** SHA-256 of every image of the record that someone removed, here or elsewhere. */
  imagesRemovedFrom(record: string): readonly string[] {
    return this.ledger.imagesRemoved.filter((image) => image.record === record).map(({ sha256 }) => sha256);
  }
}

async function holdingsOf({ server, subjects }: World, { equalRows }: Ledger): Promise<Holdings> {
  const holdings = new Map<string, StoredRecord[]>();
  for (const { resource, identity } of subjects) {
    for (const stored of await server.stored(resource)) {
      if (equalRows.has(`${resource}/${stored.record.id}`)) continue;
      const mark = String(stored.record[identity]);
      holdings.set(mark, [...(holdings.get(mark) ?? []), stored]);
    }
  }
  const settings = await server.siteMeta();
  holdings.set('settings', [{ record: { id: 1, ...settings }, files: {}, images: [] }]);
  return holdings;
}

function marksOf(
  effects: readonly Arrival[],
  subjects: readonly Subject[],
  { equalRows }: Ledger,
): Map<string, string> {
  const marks = new Map<string, string>();
  for (const arrival of effects) {
    const subject = subjects.find(({ resource }) => resource === arrival.resource);
    if (arrival.op !== 'create' || subject === undefined) continue;
    const row = `${subject.resource}/${arrival.id}`;
    if (!equalRows.has(row)) marks.set(row, arrival.values[subject.identity] ?? '');
  }
  return marks;
}
