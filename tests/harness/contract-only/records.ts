import { type Field, isAttachment } from '../../../src/domain/fields.ts';
import type { Resource, ResourceName } from '../../../src/domain/resource.ts';
import { json, Refusal, refuseInvalid } from './answers.ts';
import { type Body, isUpload, textOf } from './body.ts';
import { brokenRules } from './rules.ts';
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

  constructor(resource: Resource, store: Store) {
    this.#resource = resource;
    this.#store = store;
  }

  /** Returns all rows with only the list screen's columns, whatever page is requested. */
  list(): Response {
    const columns = listColumns(this.#resource);
    const rows = this.#store.rows(this.#resource.name);
    return json(rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))));
  }

  single(id: string): Response {
    const row = this.#find(id);
    if (!this.#resource.fields.some((field) => field.kind === 'images')) return json(row);
    const images = this.#store
      .imagesOf(this.#resource.name, row.id)
      .map(({ id: imageId, image }) => ({ id: imageId, image }));
    return json({ ...row, images });
  }

  create(body: Body): Response {
    refuseInvalid(brokenRules(this.#resource.fields, body, true));
    const row = this.#store.insert(this.#resource.name, this.#cells(body));
    this.#addImages(row, body);
    return this.#done('Created');
  }

  /** Replaces texts, omitted ones with null. `image` and `catalog` replace their file, `images[]` adds. */
  update(id: string, body: Body): Response {
    const row = this.#find(id);
    refuseInvalid(brokenRules(this.#resource.fields, body, false));
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

  #cells(body: Body): Record<string, Cell> {
    const cells: Record<string, Cell> = {};
    for (const field of this.#resource.fields) {
      const value = body.get(field.name);
      if (!isAttachment(field)) cells[field.name] = cellOf(field, textOf(body, field.name));
      else if (isUpload(value)) cells[field.name] = this.#store.keep(value);
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
