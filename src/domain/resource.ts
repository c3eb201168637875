import { type AttachmentField, type Field, isAttachment, isManyFiles } from './fields.ts';
import { FIRST_ROWS } from './limits.ts';
import { isLocalId } from './outbox/vocabulary.ts';
import type { ResourceName } from './resources/index.ts';

export type { AnyResourceName, ResourceName } from './resources/index.ts';

/** A list column, in display order after Sl. An image column has a width in CSS pixels. */
export type Column =
  | { readonly kind: 'text'; readonly field: string; readonly label: string }
  | { readonly kind: 'image'; readonly field: string; readonly label: string; readonly width: number };

/** Defines a kind of record. Routes, sidebar, list, form, device copy, requests, table and rules derive from it. */
export interface Resource<Name extends string = ResourceName> {
  readonly name: Name;
  /** Prefix of the screens' routes: `/{path}-all`, `/{path}-create`, `/{path}-edit/{id}`. */
  readonly path: string;
  /** Position in the sidebar. */
  readonly place: number;
  readonly label: {
    /** One record, as in "New generator". */
    readonly one: string;
    /** The sidebar group's and the list's heading. */
    readonly many: string;
    /** The text of the sidebar's link to the list. */
    readonly list: string;
    /** The noun in "Are you sure? You want to delete this …?". */
    readonly deleteAs: string;
    /** The noun in the server's answers, as in "… Created Successfully". */
    readonly message: string;
    /** Singular and plural within a sentence, as in "5 partners will be deleted". */
    readonly noun: { readonly one: string; readonly many: string };
  };
  readonly endpoints: {
    readonly create: string;
    readonly list: string;
    /** Reads and updates a record; followed by `/{id}`. */
    readonly single: string;
    /** Followed by `/{id}`. */
    readonly delete: string;
  };
  /** The list call accepts `?page=`, starting at 1. */
  readonly paged: boolean;
  readonly fields: readonly Field[];
  readonly columns: readonly Column[];
  /** Frequently needed fields that list rows include besides the columns, most important first. */
  readonly facts: readonly string[];
  /** Fields by which a list can be filtered. */
  readonly facets: readonly string[];
  /** The integer field that lists are sorted by. Absent for the server's order. */
  readonly orderedBy?: string;
  /** The fields that make up a record's title, in order. */
  readonly title: readonly string[];
  /** The destination of the create screen after a save. */
  readonly afterCreate: 'list' | 'stay';
}

/** A kind with a single record. It has a form, but no list, create or delete. */
export interface SingleResource {
  readonly name: 'site-meta';
  /** The screen's route: `/{path}`. */
  readonly path: string;
  readonly label: Pick<Resource['label'], 'one' | 'message'>;
  /** One address without an id, for reads and updates. */
  readonly endpoints: Pick<Resource['endpoints'], 'single'>;
  readonly fields: readonly Field[];
  readonly title: readonly string[];
  /** The id of the single record. */
  readonly only: number;
}

/** Any kind of record. Forms, changes, history and the device's copy of a record need no more than this. */
export type AnyResource = Resource | SingleResource;

/** A record from the server: `id`, its fields, optional `images`, dates and, on this repository's server, `version`. */
export interface ServerRecord {
  readonly id: number;
  readonly images?: readonly StoredImage[];
  readonly [field: string]: unknown;
}

/** A stored image of a record. Its file is at `/uploads/{image}`. */
export interface StoredImage {
  readonly id: number;
  readonly image: string;
}

/**
 * A list row: the id and the columns' values. This repository's server adds more (`listedFields`): facts, the record's
 * first photo as `photo`, and whether it has a catalogue as `has_catalog`, 0 or 1.
 */
export interface ListRow {
  readonly id: number;
  readonly [field: string]: unknown;
}

/** The fields of a list row: columns first, then facts, facets and the sort field. */
export function listedFields({ columns, facts, facets, orderedBy }: Resource): string[] {
  const order = orderedBy === undefined ? [] : [orderedBy];
  return [...new Set([...columns.map(({ field }) => field), ...facts, ...facets, ...order])];
}

/** The routes of a resource's screens. `id` is a server id or a local one. */
export function routesOf(resource: Resource) {
  return {
    list: `/${resource.path}-all`,
    create: `/${resource.path}-create`,
    edit: (id: number | string) => `/${resource.path}-edit/${id}`,
  };
}

/** True for a kind with a single record. */
export function isSingle(resource: AnyResource): resource is SingleResource {
  return 'only' in resource;
}

/** The route of the screen that shows a record. */
export function screenOf(resource: AnyResource, id: number | string): string {
  return isSingle(resource) ? `/${resource.path}` : routesOf(resource).edit(id);
}

/** The address for reading and updating a record. */
export function recordAddress(resource: AnyResource, id: number | string): string {
  return isSingle(resource) ? resource.endpoints.single : `${resource.endpoints.single}/${id}`;
}

/** The address of a list's first rows. A server that does not support `first` returns the whole list. */
export function firstRowsAddress({ endpoints, paged }: Resource): string {
  return `${endpoints.list}?${paged ? 'page=1' : `first=${FIRST_ROWS}`}`;
}

/**
 * A record's name in a sentence: its title fields joined. If they are empty, "Generator 12", or "Generator" before it has a
 * number. `noun` is that word in another language than English.
 */
export function titleOf(
  resource: AnyResource,
  record: Readonly<Record<string, unknown>>,
  noun: string = resource.label.one,
): string {
  const words = resource.title.map((name) => textOf(record[name])).filter((word) => word !== '');
  if (words.length > 0) return words.join(' ');
  const { id } = record;
  return isSingle(resource) || id === undefined || isLocalId(String(id)) ? noun : `${noun} ${String(id)}`;
}

/** Converts a stored value to text. `null` and `undefined` become empty. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return '';
}

/** The address of an uploaded file. */
export function uploadAddress(fileName: string): string {
  return `/uploads/${encodeURIComponent(fileName)}`;
}

/** The field for photos: the one for several images, else the one for a single image. Undefined if there is none. */
export function photoField({ fields }: { readonly fields: readonly Field[] }): AttachmentField | undefined {
  return (
    fields.filter(isAttachment).find(isManyFiles) ?? fields.filter(isAttachment).find(({ kind }) => kind === 'image')
  );
}

/** Finds a field by name. */
export function fieldOf(owner: { readonly fields: readonly Field[] }, name: string): Field | undefined {
  return owner.fields.find((field) => field.name === name);
}
