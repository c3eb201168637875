import { type Field, isAttachment } from '../../../src/domain/fields.ts';
import type { Resource, ResourceName } from '../../../src/domain/resource.ts';
import { json, Refusal, refuseInvalid } from './answers.ts';
import { type Body, isUpload, textOf } from './body.ts';
import { brokenRules } from './rules.ts';
import { type Habits, WorkerDied } from './habits.ts';
import { shown, shownId, wrapped } from './shapes.ts';
import type { Cell, ImageRow, Row, Store } from './store.ts';

/** The model names, which a 404 reveals. */
const MODELS: Readonly<Partial<Record<ResourceName, string>>> = {
  generators: 'Generator',
  'solar-panels': 'SolarPanel',
  'grid-tie-inverters': 'GridTieInverter',
  'street-lights': 'StreetLight',
  ups: 'Ups',
  partners: 'Partner',
  'about-items': 'About',
  certifications: 'Certification',
  sliders: 'Slider',
  projects: 'Project',
};

/** The five calls of one resource. Nothing is idempotent, and no answer to a change carries an id. */
export class Records {
  readonly #resource: Resource;
  readonly #store: Store;
  readonly #habits: Habits;
  readonly #cached = new Map<string, { readonly at: number; readonly body: unknown }>();

  constructor(resource: Resource, store: Store, habits: Habits = {}) {
    this.#resource = resource;
    this.#store = store;
    this.#habits = habits;
  }

  /** Returns all rows with only the list screen's columns, whatever page is requested. With pages: those of that page. */
  list(query: URLSearchParams): Response {
    const { cachesLists } = this.#habits;
    if (cachesLists === undefined) return json(this.#listed(query));
    const cached = this.#cached.get(query.toString());
    const now = this.#store.milliseconds();
    if (cached !== undefined && now - cached.at < cachesLists) return json(cached.body);
    const body = this.#listed(query);
    this.#cached.set(query.toString(), { at: now, body });
    return json(body);
  }

  #listed(query: URLSearchParams): unknown {
    const columns = listColumns(this.#resource);
    const seen = this.#store.seenRows(this.#resource.name);
    const { pageSize, newestFirst } = this.#habits;
    const all = newestFirst === true ? seen.toReversed() : seen;
    const page = Math.max(1, Number(query.get('page') ?? 1));
    const isPaged = this.#resource.paged && pageSize !== undefined;
    const rows = isPaged ? all.slice((page - 1) * pageSize, page * pageSize) : all;
    const listed = rows.map((row) =>
      shown(this.#habits, Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))),
    );
    const lastPage = isPaged ? Math.max(1, Math.ceil(all.length / pageSize)) : 1;
    return wrapped(this.#habits, listed, isPaged ? { page, lastPage, total: all.length } : undefined);
  }

  single(id: string): Response {
    const row = this.#seen(id);
    const record = shown(this.#habits, row);
    if (!this.#resource.fields.some((field) => field.kind === 'images')) return json(wrapped(this.#habits, record));
    const images = this.#store
      .seenImagesOf(this.#resource.name, row.id)
      .map(({ id: imageId, image }) => shown(this.#habits, { id: imageId, image }));
    return json(wrapped(this.#habits, { ...record, images }));
  }

  #seen(id: string): Row {
    const row = this.#store.seenRows(this.#resource.name).find((one) => String(shownId(this.#habits, one.id)) === id);
    if (row === undefined) throw missing(MODELS[this.#resource.name] ?? this.#resource.label.message, id);
    return row;
  }

  create(body: Body): Response {
    refuseInvalid(brokenRules(this.#resource.fields, body, true));
    this.#dieAt(body, () => this.#store.insert(this.#resource.name, this.#cells(body, false)));
    const row = this.#store.insert(this.#resource.name, this.#cells(body));
    this.#addImages(row, body);
    return this.#done('Created');
  }

  /** Replaces texts, omitted ones with null. `image` and `catalog` replace their file, `images[]` adds. */
  update(id: string, body: Body): Response {
    const row = this.#find(id);
    refuseInvalid(brokenRules(this.#resource.fields, body, false));
    this.#dieAt(body, () => this.#store.change(row, this.#cells(body, false)));
    const cells = this.#cells(body);
    for (const column of ['catalog', 'image']) if (column in cells) this.#store.removeFile(row[column]);
    this.#store.change(row, cells);
    this.#addImages(row, body);
    return this.#done('Updated');
  }

  delete(id: string): Response {
    this.#store.remove(this.#resource.name, this.#find(id));
    return this.#done('Deleted');
  }

  #find(id: string): Row {
    const row = this.#store.row(this.#resource.name, id);
    if (row === undefined) throw missing(MODELS[this.#resource.name] ?? this.#resource.label.message, id);
    return row;
  }

  /** Dies at the pictures of a save whose texts are stored. */
  #dieAt(body: Body, store: () => unknown): void {
    const { diesOnPictures } = this.#habits;
    const hasPictures = this.#resource.fields.some(
      ({ kind, name }) => (kind === 'images' || kind === 'image') && [body.get(name)].flat().some(isUpload),
    );
    if (diesOnPictures === undefined || !hasPictures) return;
    store();
    if (diesOnPictures === 'silent') throw new WorkerDied('The worker has died.');
    throw new Refusal(500, 'Server Error');
  }

  #cells(body: Body, withPictures = true): Record<string, Cell> {
    const cells: Record<string, Cell> = {};
    const { observes = (_field: string, text: string) => text } = this.#habits;
    for (const field of this.#resource.fields) {
      const value = body.get(field.name);
      const text = isAttachment(field) ? null : textOf(body, field.name);
      if (!isAttachment(field)) cells[field.name] = cellOf(field, text === null ? null : observes(field.name, text));
      else if (isUpload(value) && (withPictures || field.kind === 'file')) cells[field.name] = this.#store.keep(value);
    }
    return cells;
  }

  #addImages(row: Row, body: Body): void {
    for (const value of [body.get('images')].flat()) {
      if (isUpload(value)) this.#store.addImage(this.#resource.name, row.id, value);
    }
  }

  #done(verb: string): Response {
    return json({ message: `${this.#resource.label.message} ${verb} Successfully` });
  }
}

/** Deletes an image of any resource: all share one table. */
export function deleteImage(store: Store, id: string): Response {
  const image: ImageRow | undefined = store.image(id);
  if (image === undefined) throw missing('Image', id);
  store.removeImage(image);
  return json({ message: 'Image Deleted Successfully' });
}

function missing(model: string, id: string): Refusal {
  return new Refusal(404, `No query results for model [App\\Models\\${model}] ${id}`);
}

function cellOf(field: Field, text: string | null): Cell {
  return field.kind === 'integer' && text !== null ? Number(text) : text;
}

function listColumns(resource: Resource): string[] {
  return ['id', ...resource.columns.map((column) => column.field)];
}
