import type { ResourceName } from '../resource.ts';
import { RESOURCES } from '../resources/index.ts';
import { siteMeta } from '../resources/site-meta.ts';

/** Reports which record this page has open. The answer lists who else has it open. */
export const PRESENCE_PATH = '/api/presence';

/** The interval between reports of an open record. Milliseconds. */
export const PRESENCE_BEAT = 8_000;

/** A page silent for this long counts as gone. Others see that with their next beat, after 28 s at most. Milliseconds. */
export const PRESENCE_LASTS = 20_000;

/** An open record, by server id. */
export interface OpenRecord {
  readonly resource: ResourceName | typeof siteMeta.name;
  readonly id: number;
}

/** A page's report. */
export interface Beat extends OpenRecord {
  /** Distinguishes the pages of one person. */
  readonly page: string;
  /** `typing`: there are unsaved changes. `left`: the record is no longer open. */
  readonly doing: 'looking' | 'typing' | 'left';
}

/** Someone else who has the record open. */
export interface Present {
  readonly name: string;
  readonly isTyping: boolean;
}

/** Reads a page's report. Returns undefined for anything else. */
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
