import { join } from 'node:path';
import type { Baseline, Sent, SentFile } from '../../../src/domain/protocol/read-back/reader.ts';
import { type RequestLimits, splitFiles } from '../../../src/domain/protocol/request-limits.ts';
import { wireName } from '../../../src/domain/fields.ts';
import { type AnyResourceName, fieldOf, recordAddress, type ResourceName } from '../../../src/domain/resource.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { siteMeta } from '../../../src/domain/resources/site-meta.ts';
import type { Base } from '../../../src/domain/outbox/vocabulary.ts';
import type { Values } from '../../../src/domain/validate.ts';
import type { RefusalBody } from '../../errors/refusal.ts';
import type { Target } from '../store.ts';
import type { MultipartForm } from './multipart.ts';

/** The target of a change, as stored in the journal. */
export type JournalTarget =
  | { readonly op: 'create'; readonly resource: ResourceName }
  | { readonly op: 'update'; readonly resource: AnyResourceName; readonly id: number }
  | { readonly op: 'delete'; readonly resource: ResourceName; readonly id: number }
  | { readonly op: 'delete-image'; readonly id: number };

/** A received file in the gateway's folder. */
export interface WorkFile extends SentFile {
  /** Its name in that folder. Not a path, because a data folder may be moved. */
  readonly name: string;
  readonly originalName: string;
  readonly type: string;
  /** Bytes. */
  readonly size: number;
}

/** A request that was sent. */
export interface Step {
  readonly sent: Sent;
  /** Indexes of its files. */
  readonly files: readonly number[];
  readonly baseline: Baseline;
  /** When it can no longer take effect, in epoch milliseconds. */
  readonly endsBy: number;
  readonly keepsTexts: boolean;
  /** The back end has confirmed the effect. Only the new row's id is unknown. */
  readonly isConfirmed?: boolean;
  /** When it was sent, in epoch milliseconds. Absent in journals of earlier versions. */
  readonly at?: number;
  /** Its key at a back end that has keys of its own: it may be sent as often as it takes. */
  readonly key?: string;
  /** The back end's own version of the record that it was made on. Only with a key. */
  readonly ifMatch?: string;
  /** It has been sent again after a first request of which there was no trace. That happens once. */
  readonly isRepeat?: true;
}

/** A doubt that could not be settled in time. Nothing is sent until its sender decides, or evidence turns up. */
export interface Unsettled {
  /** Epoch milliseconds. */
  readonly since: number;
  /** Why, for the sender. */
  readonly message: string;
  /** Records that may be the one in question. */
  readonly candidates: readonly number[];
}

/**
 * A change on its way to the back end: what was requested, and its progress. The journal stores it as JSON. A change with
 * more files than one request can carry is sent in steps.
 */
export interface Work {
  readonly target: JournalTarget;
  /** The texts as received, by their names on the wire. */
  readonly texts: readonly (readonly [name: string, value: string])[];
  /** The texts by field. */
  readonly values: Values;
  readonly files: readonly WorkFile[];
  /** Indexes of the files that have not arrived, grouped by request. */
  readonly left: readonly (readonly number[])[];
  /** Indexes of the files that have arrived, in order. */
  readonly arrived: readonly number[];
  /** The request that was sent and whose effect is unknown. */
  readonly step?: Step;
  /** The back end's message. Set once a part has taken effect. */
  readonly message?: string;
  /** The id of a created record, once known. */
  readonly recordId?: string;
  readonly duplicates: readonly number[];
  /** The record before the first request of an edit. */
  readonly before?: Baseline;
  /** The refusal of a later part. The earlier parts are undone, and this becomes the answer. */
  readonly refusal?: { readonly status: number; readonly body: RefusalBody };
  /**
   * The record when the back end turned the sender away from a later request. Nothing is in doubt: other changes go on, and
   * this one continues once its sender is let in again.
   */
  readonly suspended?: Base;
  /** The doubt about `step` was set aside, so that other changes go on. */
  readonly unsettled?: Unsettled;
  /** Since the answer to `step` was lost, a look for the created row has found nothing new. */
  readonly foundNothing?: true;
  /** A part of it was found by evidence instead of confirmed by the back end. */
  readonly isInferred?: true;
  /** The change was made on a version: what is found changed before a later request is a conflict. */
  readonly isGuarded?: true;
}

/** Parses a change from the journal. An older version had a separate operation for site meta. */
export function workIn(json: string): Work {
  const { name: resource, only: id } = siteMeta;
  return JSON.parse(json, (_key, value: unknown) => {
    const { op } = (value ?? {}) as { readonly op?: unknown };
    const update = { op: 'update', resource, id, recordId: String(id), files: [] };
    return op === 'save-settings' ? { ...(value as object), ...update } : value;
  }) as Work;
}

/**
 * Divides files among requests. For an edit, the last request carries the new texts and the single files, so that an earlier
 * refusal leaves the texts unchanged. For a create, the first request has to carry them.
 */
export function divide(target: JournalTarget, files: readonly WorkFile[], limits: RequestLimits): number[][] {
  if (target.op === 'delete-image') return [[]];
  const placed = files.map(({ field, size }, place) => ({ field, size, place }));
  const parts = splitFiles(target.resource, placed, limits).map((part) => part.map(({ place }) => place));
  return target.op === 'update' ? parts.toReversed() : parts;
}

/** Returns the change after a request has taken effect except for the missing files. */
export function afterStep(before: Work, done: Step, missing: readonly SentFile[] = []): Work {
  const { step: _step, unsettled: _unsettled, ...work } = before;
  const lacking = [...missing];
  const isMissing = (place: number) => {
    const file = work.files[place];
    const found = lacking.findIndex(({ field, sha256 }) => field === file?.field && sha256 === file.sha256);
    if (found >= 0) lacking.splice(found, 1);
    return found >= 0;
  };
  const again = done.files.filter(isMissing);
  const arrived = [...work.arrived, ...done.files.filter((place) => !again.includes(place))];
  const left = [...(again.length === 0 ? [] : [again]), ...work.left.slice(1)];
  return { ...work, arrived, left };
}

/** The content of a request. */
export interface NextRequest {
  readonly sent: Sent;
  /** Indexes of its files. */
  readonly files: readonly number[];
  /** The request only adds files. Its texts are those that the record has now. */
  readonly keepsTexts: boolean;
}

/** Returns the content of the next request. Undefined once everything has been sent. */
export function nextRequest(work: Work): NextRequest | undefined {
  const [files, ...later] = work.left;
  if (files === undefined) return undefined;
  const { target, values } = work;
  const carried = files.flatMap((place) => sentFile(work.files[place]));
  const whole = (sent: Sent): NextRequest => ({ sent, files, keepsTexts: false });
  if (target.op === 'delete-image') return whole({ op: 'delete-image', imageId: target.id });
  if (target.op === 'delete') return whole({ op: 'delete', resource: target.resource, recordId: String(target.id) });
  if (target.op === 'create' && work.recordId === undefined) {
    return whole({ op: 'create', resource: target.resource, values, files: carried });
  }
  const { resource } = target;
  const recordId = target.op === 'update' ? String(target.id) : (work.recordId ?? '');
  const keepsTexts = target.op === 'create' || later.length > 0;
  return { sent: { op: 'update', resource, recordId, values, files: carried }, files, keepsTexts };
}

/** The path of a request. */
export function pathOf(sent: Sent): string {
  switch (sent.op) {
    case 'create':
      return resourceOf(sent.resource).endpoints.create;
    case 'update':
      return recordAddress(resourceOf(sent.resource), sent.recordId);
    case 'delete':
      return `${resourceOf(sent.resource).endpoints.delete}/${sent.recordId}`;
    case 'delete-image':
      return `/api/delete-image/${sent.imageId}`;
    default:
      return sent satisfies never;
  }
}

/** Builds the form of a request, with its files in the given folder. Undefined for a delete. */
export function formFor(
  work: Work,
  { sent, files }: Pick<Step, 'sent' | 'files'>,
  folder: string,
): MultipartForm | undefined {
  if (sent.op === 'delete' || sent.op === 'delete-image') return undefined;
  const texts = sent.values === work.values ? work.texts : Object.entries(sent.values);
  const resource = resourceOf(sent.resource);
  return {
    texts,
    files: files.flatMap((place) => {
      const file = work.files[place];
      if (file === undefined) return [];
      const field = fieldOf(resource, file.field);
      const { size, type, originalName } = file;
      const name = field === undefined ? file.field : wireName(field);
      return { name, path: join(folder, file.name), size, type, fileName: originalName };
    }),
  };
}

function sentFile(file: WorkFile | undefined): SentFile[] {
  if (file === undefined) return [];
  const { field, sha256, size, type } = file;
  return [{ field, sha256, size, type }];
}

/** Converts a requested target to the journal's form. */
export function journalTarget(target: Target): JournalTarget {
  if (target.op === 'create') return { op: 'create', resource: target.resource.name };
  if (target.op === 'update') return { op: 'update', resource: target.resource.name, id: target.id };
  if (target.op === 'delete') return { op: 'delete', resource: target.resource.name, id: target.id };
  return target;
}

/**
 * The work of an earlier run, as if a request that lies ahead had just been sent: the clock was set back since, and its doubt would last
 * until the clock arrives there. `now` and `longestRequest` in milliseconds.
 */
export function notAhead(work: Work, now: number, longestRequest: number): Work {
  const { step } = work;
  if (step === undefined) return work;
  const ahead = (step.at ?? step.endsBy - longestRequest) - now;
  if (ahead <= 0) return work;
  const at = step.at === undefined ? {} : { at: now };
  return { ...work, step: { ...step, ...at, endsBy: step.endsBy - ahead } };
}
