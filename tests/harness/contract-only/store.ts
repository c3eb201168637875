import { createHash } from 'node:crypto';
import type { ResourceName } from '../../../src/domain/resource.ts';
import type { Upload } from './body.ts';
import type { Habits } from './habits.ts';

export type Cell = string | number | null;
/** A stored record: `id`, its columns, and dates in whole seconds. `catalog` and `image` hold file names. */
export type Row = { readonly id: number; readonly created_at: string; updated_at: string; [column: string]: Cell };

export interface ImageRow {
  readonly id: number;
  readonly image: string;
  readonly resource: ResourceName;
  readonly recordId: number;
}

type Tables = Map<ResourceName, Row[]>;

/** An uploaded file. `sha256` is that of the received bytes, `type` the extension that its content implies. */
export interface StoredFile {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly type: string;
  readonly clientName: string;
}

interface Table {
  nextId: number;
  readonly rows: Map<number, Row>;
}

/** Tables, the single table of images that all resources share, and the uploads folder. Ids are never reused. */
export class Store {
  readonly files = new Map<string, StoredFile>();
  readonly #tables = new Map<ResourceName, Table>();
  readonly #images = new Map<number, ImageRow>();
  readonly #clock: () => number;
  readonly #random: (length: number) => string;
  readonly #habits: Habits;
  /** Earlier states, for a replica that lags behind. The oldest needed one comes first. */
  #states: { readonly at: number; readonly tables: Tables; readonly images: readonly ImageRow[] }[] = [];
  readonly #removed = new Set<Row>();
  #nextImageId = 1;

  constructor(clock: () => number, random: (length: number) => string, habits: Habits = {}) {
    this.#clock = clock;
    this.#random = random;
    this.#habits = habits;
  }

  rows(resource: ResourceName): Row[] {
    return [...this.#table(resource).rows.values()].filter((row) => !this.#removed.has(row));
  }

  /** Rows as reads see them. */
  seenRows(resource: ResourceName): readonly Row[] {
    return this.#replica()?.tables.get(resource) ?? (this.#replica() === undefined ? this.rows(resource) : []);
  }

  /** A record's images as reads see them. */
  seenImagesOf(resource: ResourceName, recordId: number): readonly ImageRow[] {
    const images = this.#replica()?.images;
    return images === undefined
      ? this.imagesOf(resource, recordId)
      : images.filter((row) => row.resource === resource && row.recordId === recordId);
  }

  /** Keeps the state before a write, if a replica needs it. */
  beforeWrite(): void {
    if (this.#habits.replicaLag === undefined) return;
    const tables: Tables = new Map(
      [...this.#tables.keys()].map((name) => [name, this.rows(name).map((row) => ({ ...row }))]),
    );
    this.#states.push({ at: this.#clock(), tables, images: [...this.#images.values()] });
  }

  /** The state that a replica shows: the one before the first write that has not reached it yet. */
  #replica() {
    const { replicaLag } = this.#habits;
    if (replicaLag === undefined) return undefined;
    this.#states = this.#states.filter(({ at }) => at > this.#clock() - replicaLag);
    return this.#states[0];
  }

  row(resource: ResourceName, id: string): Row | undefined {
    const row = this.#table(resource).rows.get(Number(id));
    return row === undefined || this.#removed.has(row) ? undefined : row;
  }

  insert(resource: ResourceName, cells: Record<string, Cell>): Row {
    const table = this.#table(resource);
    const now = this.now();
    const row: Row = { id: table.nextId, ...cells, created_at: now, updated_at: now };
    table.nextId += 1;
    table.rows.set(row.id, row);
    return row;
  }

  /** Writes the cells that differ. Like Eloquent, changes `updated_at` only if something differs. */
  change(row: Row, cells: Record<string, Cell>): void {
    const differs = Object.entries(cells).some(([column, cell]) => row[column] !== cell);
    if (differs) Object.assign(row, cells, { updated_at: this.now() });
  }

  remove(resource: ResourceName, row: Row): void {
    if (this.#habits.softDeletes === true) {
      this.#removed.add(row);
      return;
    }
    this.#table(resource).rows.delete(row.id);
    for (const image of this.imagesOf(resource, row.id)) this.removeImage(image);
    for (const column of ['catalog', 'image']) this.removeFile(row[column]);
  }

  imagesOf(resource: ResourceName, recordId: number): ImageRow[] {
    return [...this.#images.values()].filter((row) => row.resource === resource && row.recordId === recordId);
  }

  image(id: string): ImageRow | undefined {
    return this.#images.get(Number(id));
  }

  addImage(resource: ResourceName, recordId: number, upload: Upload): void {
    const id = this.#nextImageId;
    this.#nextImageId += 1;
    this.#images.set(id, { id, image: this.keep(upload), resource, recordId });
  }

  removeImage(image: ImageRow): void {
    this.#images.delete(image.id);
    this.removeFile(image.image);
  }

  /** Stores a file under a random name with the extension of its content. As in the contract, the client's name is lost. */
  keep({ bytes, clientName, type = 'jpg' }: Upload): string {
    const name = `${this.#random(40)}.${type}`;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const isPicture = ['jpg', 'png', 'gif', 'webp'].includes(type);
    // decoders ignore what follows the picture
    const stored =
      this.#habits.reencodes === true && isPicture ? new Uint8Array([...bytes, ...Buffer.from('encoded anew')]) : bytes;
    this.files.set(name, { bytes: stored, clientName, type, sha256 });
    return name;
  }

  removeFile(name: Cell | undefined): void {
    if (typeof name === 'string') this.files.delete(name);
  }

  /** The clock, in epoch milliseconds. */
  milliseconds(): number {
    return this.#clock();
  }

  /** The time in Laravel's format: whole seconds, with zero microseconds. */
  now(): string {
    return new Date(this.#clock()).toISOString().replace(/\.\d+Z$/, '.000000Z');
  }

  #table(resource: ResourceName): Table {
    const known = this.#tables.get(resource);
    if (known !== undefined) return known;
    const table: Table = { nextId: 1, rows: new Map() };
    this.#tables.set(resource, table);
    return table;
  }
}
