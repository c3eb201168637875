import type { ResourceName } from '../resource.ts';
import { RESOURCES } from '../resources/index.ts';
import { siteMeta } from '../resources/site-meta.ts';

/** Tells the server which record this page has open, and is told who else has it. */
export const PRESENCE_PATH = '/api/presence';

/** How often an open record is told of, in milliseconds. */
export const PRESENCE_BEAT = 8_000;

/** Who was not heard of for so long is gone, in milliseconds: with the next beat of whoever looks that is 28 s at most. */
export const PRESENCE_LASTS = 20_000;

/** A record that somebody has open, under the server's id. */
export interface OpenRecord {
  readonly resource: ResourceName | typeof siteMeta.name;
  readonly id: number;
}

/** What a page tells of itself. */
export interface Beat extends OpenRecord {
  /** Tells the pages of one person apart. */
  readonly page: string;
  /** `typing`: something is changed and not saved. `left`: the record is open there no more. */
  readonly doing: 'looking' | 'typing' | 'left';
}

/** Somebody else who has the record open. */
export interface Present {
  readonly name: string;
  readonly isTyping: boolean;
}

/** Reads what a page tells; undefined for anything else. */
export function readBeat(body: unknown): Beat | undefined {
  const { resource, id, page, doing } = (body ?? {}) as Partial<Beat>;
  const isKnown = resource === siteMeta.name || RESOURCES.some(({ name }) => name === resource);
  if (!isKnown || resource === undefined || id === undefined || page === undefined) return undefined;
  if (!Number.isSafeInteger(id) || !/^[\w-]{8,40}$/.test(page)) return undefined;
  return doing === 'looking' || doing === 'typing' || doing === 'left' ? { resource, id, page, doing } : undefined;
}

/** Reads the answer to a beat. */
export function readPresent(body: unknown): readonly Present[] {
  const { present } = (body ?? {}) as { readonly present?: unknown };
  return Array.isArray(present) ? (present as readonly Present[]) : [];
}
