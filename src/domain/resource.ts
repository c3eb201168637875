import { type AttachmentField, type Field, isAttachment, isManyFiles } from './fields.ts';
import { FIRST_ROWS } from './limits.ts';
import type { ResourceName } from './resources/index.ts';

export type { AnyResourceName, ResourceName } from './resources/index.ts';

/** One column of a list, in the order shown after Sl. An image column has a width in CSS pixels. */
export type Column =
  | { readonly kind: 'text'; readonly field: string; readonly label: string }
  | { readonly kind: 'image'; readonly field: string; readonly label: string; readonly width: number };

/** One kind of record, the whole way: routes, sidebar, list, form, device copy, requests, table and rules derive from it. */
export interface Resource<Name extends string = ResourceName> {
  readonly name: Name;
  /** Prefix of the screens' routes: `/{path}-all`, `/{path}-create`, `/{path}-edit/{id}`. */
  readonly path: string;
  /** Its place in the sidebar. */
  readonly place: number;
  readonly label: {
    /** One record, as in "New generator". */
    readonly one: string;
    /** The sidebar group's and the list's heading. */
    readonly many: string;
    /** The sidebar's link to the list. */
    readonly list: string;
    /** The word in "Are you sure? You want to delete this …?". */
    readonly deleteAs: string;
    /** The word in the server's answers, as in "… Created Successfully". */
    readonly message: string;
    /** What one and several are called within a sentence, as in "5 partners will be deleted". */
    readonly noun: { readonly one: string; readonly many: string };
  };
  readonly endpoints: {
    readonly create: string;
    readonly list: string;
    /** Single record and update, followed by `/{id}`. */
    readonly single: string;
    /** Followed by `/{id}`. */
    readonly delete: string;
  };
  /** The list call takes `?page=`, from 1. */
  readonly paged: boolean;
  readonly fields: readonly Field[];
  readonly columns: readonly Column[];
  /** Fields that people look for, told in a list beside its columns, the most wanted first. */
  readonly facts: readonly string[];
  /** Fields by whose values a list is narrowed. */
  readonly facets: readonly string[];
  /** The integer field whose order a list stands in. Absent: the server's order. */
  readonly orderedBy?: string;
  /** The fields that name a record in a sentence, in order. */
  readonly title: readonly string[];
  /** Where the create screen goes after a save. */
  readonly afterCreate: 'list' | 'stay';
}

/** A kind of which there is one record: it has a form, and nothing to list, create or delete. */
export interface SingleResource {
  readonly name: 'site-meta';
  /** The screen's route: `/{path}`. */
  readonly path: string;
  readonly label: Pick<Resource['label'], 'one' | 'message'>;
  /** Read and saved at one address, without an id. */
  readonly endpoints: Pick<Resource['endpoints'], 'single'>;
  readonly fields: readonly Field[];
  readonly title: readonly string[];
  /** The id of the one record. */
  readonly only: number;
}

/** Whatever has records: forms, changes, history and the device's copy of a record ask no more than this. */
export type AnyResource = Resource | SingleResource;

/** A record as the server gives it: `id`, its fields, perhaps `images`, dates and, on this repository's server, `version`. */
export interface ServerRecord {
  readonly id: number;
  readonly images?: readonly StoredImage[];
  readonly [field: string]: unknown;
}

/** One stored image of a record; the file is at `/uploads/{image}`. */
export interface StoredImage {
  readonly id: number;
  readonly image: string;
}

/**
 * A row of a list: the id and what the columns show. This repository's server tells more (`listedFields`): facts, the first of the
 * record's photos as `photo`, and whether it has a catalogue as `has_catalog`, 0 or 1.
 */
export interface ListRow {
  readonly id: number;
  readonly [field: string]: unknown;
}

/** The fields that a row of a list tells: those of the columns first, then what people look for, narrow by or order by. */
export function listedFields({ columns, facts, facets, orderedBy }: Resource): string[] {
  const order = orderedBy === undefined ? [] : [orderedBy];
  return [...new Set([...columns.map(({ field }) => field), ...facts, ...facets, ...order])];
}

/** The routes of a resource's screens. `id` is a server's id or a local one. */
export function routesOf(resource: Resource) {
  return {
    list: `/${resource.path}-all`,
    create: `/${resource.path}-create`,
    edit: (id: number | string) => `/${resource.path}-edit/${id}`,
  };
}

/** True for a kind of which there is one record. */
export function isSingle(resource: AnyResource): resource is SingleResource {
  return 'only' in resource;
}

/** The route of the screen that shows a record. */
export function screenOf(resource: AnyResource, id: number | string): string {
  return isSingle(resource) ? `/${resource.path}` : routesOf(resource).edit(id);
}

/** The call that reads a record, and takes its edits. */
export function recordAddress(resource: AnyResource, id: number | string): string {
  return isSingle(resource) ? resource.endpoints.single : `${resource.endpoints.single}/${id}`;
}

/** The call that answers a list's first rows. A server that does not know `first` answers the whole list. */
export function firstRowsAddress({ endpoints, paged }: Resource): string {
  return `${endpoints.list}?${paged ? 'page=1' : `first=${FIRST_ROWS}`}`;
}

/** A record's name in a sentence: its title fields joined, or "generator 12" when they are empty. */
export function titleOf(resource: AnyResource, record: Readonly<Record<string, unknown>>): string {
  const words = resource.title.map((name) => textOf(record[name])).filter((word) => word !== '');
  if (words.length > 0) return words.join(' ');
  return isSingle(resource) || record.id === undefined
    ? resource.label.one
    : `${resource.label.one} ${String(record.id)}`;
}

/** The text of a stored value: `null` and `undefined` are empty, numbers are written out. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return '';
}

/** The address of an uploaded file. */
export function uploadAddress(fileName: string): string {
  return `/uploads/${encodeURIComponent(fileName)}`;
}

/** Where a record's photos go: the field that takes many, else the one that takes one. Undefined where it has none. */
export function photoField({ fields }: { readonly fields: readonly Field[] }): AttachmentField | undefined {
  return (
    fields.filter(isAttachment).find(isManyFiles) ?? fields.filter(isAttachment).find(({ kind }) => kind === 'image')
  );
}

/** The field of that name, or undefined. */
export function fieldOf(owner: { readonly fields: readonly Field[] }, name: string): Field | undefined {
  return owner.fields.find((field) => field.name === name);
}
