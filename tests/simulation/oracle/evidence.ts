import type { StoredRecord } from '../servers/server.ts';
import type { Subject } from '../scenario/subjects.ts';
import type { World } from '../world/world.ts';
import type { Arrival } from './arrivals.ts';
import type { Ledger } from './ledger.ts';

/** A stock back end takes no more files at once. */
const FILES_IN_A_REQUEST = 20;

/** What the server holds in the end, by the record's mark: more than one row under a mark is a double. */
type Holdings = ReadonlyMap<string, readonly StoredRecord[]>;

/** What can be known from outside when the queue has drained: what the server was seen to do, and what it holds. */
export class Evidence {
  readonly world: World;
  readonly ledger: Ledger;
  readonly #holdings: Holdings;
  readonly #effects: readonly Arrival[];
  /** The record's mark by kind and server id. */
  readonly #marks: ReadonlyMap<string, string>;

  private constructor(world: World, ledger: Ledger, holdings: Holdings) {
    this.world = world;
    this.ledger = ledger;
    this.#holdings = holdings;
    this.#effects = world.arrivals.filter(({ effective }) => effective);
    this.#marks = marksOf(this.#effects, world.subjects);
  }

  /** Looks at the server. */
  static async of(world: World, ledger: Ledger): Promise<Evidence> {
    return new Evidence(world, ledger, await world.really(() => holdingsOf(world)));
  }

  get onStockServer(): boolean {
    return this.world.server.name === 'contract-only';
  }

  rowsOf(record: string): readonly StoredRecord[] {
    return this.#holdings.get(record) ?? [];
  }

  /** Between the look at a record and the write something can come in, where the records' keeper does not compare. */
  get hasGap(): boolean {
    return this.world.server.name !== 'own';
  }

  /** The record that an arrival is about. */
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

  /** The browser repeated a request by itself, to a server that cannot know: what doubles then is shown, not removed. */
  wasRepeated(record: string): boolean {
    return this.effectsOn(record).some(({ repeated }) => repeated);
  }

  twinsOf(record: string): number {
    return this.ownEffectsOn(record).filter(({ op, repeated }) => op === 'create' && repeated).length;
  }

  /**
   * Rows that were removed from a server that knows no keys, by somebody elsewhere or before a copy of the create came out of
   * a queue file. One that went before it was read back cannot be told from one that never was, so it is made again: there
   * is still only one.
   */
  removedUnseen(record: string): number {
    if (this.world.server.name === 'own') return 0;
    const removed = this.effectsOn(record).filter(({ op }) => op === 'delete');
    return removed.filter(({ from }) => from === 'elsewhere' || this.ledger.takenIn.has(record)).length;
  }

  /**
   * Creates that a gateway took back because a later part of them was refused: a change of more files than one request of the back end
   * takes is there as a whole or not at all.
   */
  takenBack(record: string): number {
    const { changes } = this.ledger;
    const isDivided = changes.some((change) => change.record === record && change.files.length > FILES_IN_A_REQUEST);
    if (this.world.server.name !== 'gateway' || !isDivided) return 0;
    const byHand = changes.some((change) => change.record === record && change.op === 'delete') ? 1 : 0;
    return Math.max(0, this.ownEffectsOn(record).filter(({ op }) => op === 'delete').length - byHand);
  }

  /** Rows of the record that nobody elsewhere has written into or taken an image from. */
  untouchedRows(record: string): number {
    const edited = this.effectsOn(record).filter(({ from }) => from === 'elsewhere');
    const bared = this.ledger.imagesRemoved.filter((image) => image.record === record);
    const touched = new Set([...edited.map(({ id }) => id), ...bared.map(({ row }) => row)]);
    return this.rowsOf(record).filter((row) => !touched.has(row.record.id)).length;
  }

  /** A copy of the create came out of a queue file to a server that knows no keys, perhaps after the record was deleted. */
  mayHaveComeBack(record: string): boolean {
    return this.onStockServer && this.ledger.takenIn.has(record);
  }

  /** SHA-256 of every image of the record that somebody removed, here or elsewhere. */
  imagesRemovedFrom(record: string): readonly string[] {
    return this.ledger.imagesRemoved.filter((image) => image.record === record).map(({ sha256 }) => sha256);
  }
}

async function holdingsOf({ server, subjects }: World): Promise<Holdings> {
  const holdings = new Map<string, StoredRecord[]>();
  for (const { resource, identity } of subjects) {
    for (const stored of await server.stored(resource)) {
      const mark = String(stored.record[identity]);
      holdings.set(mark, [...(holdings.get(mark) ?? []), stored]);
    }
  }
  const settings = await server.siteMeta();
  holdings.set('settings', [{ record: { id: 1, ...settings }, files: {}, images: [] }]);
  return holdings;
}

function marksOf(effects: readonly Arrival[], subjects: readonly Subject[]): Map<string, string> {
  const marks = new Map<string, string>();
  for (const arrival of effects) {
    const subject = subjects.find(({ resource }) => resource === arrival.resource);
    if (arrival.op !== 'create' || subject === undefined) continue;
    marks.set(`${subject.resource}/${arrival.id}`, arrival.values[subject.identity] ?? '');
  }
  return marks;
}
