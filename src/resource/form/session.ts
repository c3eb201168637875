import type { AttachmentField, Field } from '../../domain/fields.ts';
import { sameText } from '../../domain/outbox/conflict.ts';
import type { Base, OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import type { FieldErrors, Values } from '../../domain/validate.ts';
import { type FormFile, withFileMoved, withFiles } from '../../fields/form-file.ts';
import { differs, type FormContent, typedSince } from './content.ts';

/**
 * Where a form is in its life.
 * - `editing`: typed into
 * - `saving`: Save was pressed; what is `sent` is not durable yet
 * - `stored`: durable on this device, its answer is waited for
 * - `returned`: the server refused it, and the form has it again
 * - `conflict`: the record changed on the server; the comparison goes on in the outbox
 * - `done`: with the server, or on its way there. `typed` is what was typed meanwhile into a record that is new
 */
export type Phase =
  | { readonly kind: 'editing' }
  | { readonly kind: 'saving'; readonly sent: FormContent }
  | { readonly kind: 'stored'; readonly sent: FormContent; readonly entry: OutboxEntry }
  | { readonly kind: 'returned' }
  | { readonly kind: 'conflict'; readonly entryId: string }
  | { readonly kind: 'done'; readonly typed?: FormContent; readonly entry: OutboxEntry };

/** What a form opens with. */
export interface Opening {
  readonly fields: readonly Field[];
  /** What counts as unchanged. */
  readonly start: FormContent;
  /** What is in the form, where that differs. */
  readonly content?: FormContent;
  readonly errors?: FieldErrors;
  /** The record as it is when the edit begins; a new one has none. */
  readonly base?: Base;
  /** The refused change that Save repairs. */
  readonly repairing?: string;
  /** When the unsaved draft that was restored had been kept, in epoch milliseconds. */
  readonly restoredAt?: number;
}

/** One open form, whole and plain: an event gives the next one. */
export interface FormSession extends Omit<Opening, 'content' | 'errors'> {
  readonly phase: Phase;
  /** What is typed and picked. */
  readonly now: FormContent;
  /** The server's texts per field, until the field is touched or the form sent again. */
  readonly errors: FieldErrors;
  /** What the server would refuse; set when Save stopped at it without a connection. */
  readonly warned?: FieldErrors;
  /** Names of the fields that were left once: only those get hints, so that nobody is scolded while typing. */
  readonly visited: readonly string[];
  /** Names of the fields whose files are still being read. */
  readonly reading: readonly string[];
  /** Counts the answers that need a look, so that the summary takes the focus at each. */
  readonly attention: number;
  /** Counts how often the form began anew: what its inputs have told of the content before no longer holds. */
  readonly round: number;
}

export type FormEvent =
  | { readonly type: 'typed'; readonly name: string; readonly value: string }
  | { readonly type: 'left'; readonly name: string }
  | { readonly type: 'picked'; readonly field: AttachmentField; readonly files: readonly FormFile[] }
  | { readonly type: 'removed'; readonly field: AttachmentField; readonly key: string }
  | { readonly type: 'moved'; readonly field: AttachmentField; readonly key: string; readonly to: number }
  | { readonly type: 'reading'; readonly name: string; readonly busy: boolean }
  | { readonly type: 'warned'; readonly errors: FieldErrors }
  | { readonly type: 'submitted' }
  | { readonly type: 'stored'; readonly entry: OutboxEntry }
  | { readonly type: 'not-stored' }
  | { readonly type: 'returned'; readonly errors: FieldErrors; readonly message: string; readonly repairing?: string }
  /** Not refused: confirmed, on its way, or in conflict. */
  | { readonly type: 'settled'; readonly conflictId?: string }
  /** What the device now knows of the record. */
  | { readonly type: 'followed'; readonly content: FormContent; readonly base: Base }
  /** Begins anew with this opening. */
  | { readonly type: 'reopened'; readonly opening: Omit<Opening, 'fields'> };

/** A form that opens. */
export function openSession({ content, errors = {}, ...opening }: Opening): FormSession {
  return {
    ...opening,
    phase: { kind: 'editing' },
    now: content ?? opening.start,
    errors,
    visited: [],
    reading: [],
    attention: 0,
    round: 1,
  };
}

/** What an event makes of a form. Pure; the form itself where nothing changes. */
export function reduce(session: FormSession, event: FormEvent): FormSession {
  switch (event.type) {
    case 'typed':
      return withValue(session, event.name, event.value);
    case 'left':
      return session.visited.includes(event.name) ? session : { ...session, visited: [...session.visited, event.name] };
    case 'picked':
      return withFileList(session, event.field, withFiles(session.now.files, event.field, event.files));
    case 'removed':
      return withFileList(
        session,
        event.field,
        session.now.files.filter(({ key }) => key !== event.key),
      );
    case 'moved':
      return withFileList(session, event.field, withFileMoved(session.now.files, event.key, event.to));
    case 'reading':
      return withReading(session, event.name, event.busy);
    case 'warned':
      return { ...session, warned: event.errors, errors: {}, attention: session.attention + 1 };
    case 'submitted':
      return { ...unwarned(session), errors: {}, phase: { kind: 'saving', sent: session.now } };
    case 'stored':
      return session.phase.kind === 'saving'
        ? { ...session, phase: { kind: 'stored', sent: session.phase.sent, entry: event.entry } }
        : session;
    case 'not-stored':
      return { ...session, phase: { kind: 'editing' } };
    case 'returned':
      return returned(session, event);
    case 'settled':
      return settled(session, event.conflictId);
    case 'followed':
      return followed(session, event.content, event.base);
    case 'reopened':
      return reopened(session, event.opening);
    default:
      return event satisfies never;
  }
}

/** True while an answer to what was saved is waited for: nothing else than the administrator changes the form then. */
export function isSaving({ phase }: FormSession): boolean {
  return phase.kind === 'saving' || phase.kind === 'stored';
}

/** True when leaving now would lose something. What is stored on this device would not be lost. */
export function isDirty({ phase, start, now }: FormSession): boolean {
  if (phase.kind === 'done' || phase.kind === 'conflict') return false;
  return differs(phase.kind === 'stored' ? phase.sent : start, now);
}

/** What is typed and picked and not stored yet: what an unsaved draft keeps. */
export function unsavedContent({ phase, now }: FormSession): FormContent {
  return phase.kind === 'stored' ? typedSince(phase.sent, now) : now;
}

/** True when the record is another than the one that is edited, and something is typed that must not be lost for it. */
export function isStale(session: FormSession, base: Base): boolean {
  return session.base !== undefined && isOther(session.base, base) && differs(session.start, session.now);
}

/** The texts that somebody else has changed since the edit began, by field, where they differ from what is in the form. */
export function changedMeanwhile({ base: begun, now }: FormSession, latest: Base): Values {
  const isNews = ([name, text]: readonly [string, string]) =>
    !sameText(begun?.values[name], text) && !sameText(now.values[name], text);
  return Object.fromEntries(Object.entries(latest.values).filter(isNews));
}

/** Sets a value. The field's error goes, and so does the value of every field whose choices depend on it. */
function withValue(session: FormSession, name: string, value: string): FormSession {
  const dependents = session.fields.filter((field) => field.kind === 'lookup' && field.dependsOn === name);
  const cleared = Object.fromEntries(dependents.map((field) => [field.name, '']));
  const values = { ...session.now.values, [name]: value, ...cleared };
  return { ...session, now: { ...session.now, values }, errors: withoutErrors(session.errors, name) };
}

/** Replaces the files; the errors of the field they belong to no longer hold. */
function withFileList(session: FormSession, field: AttachmentField, files: readonly FormFile[]): FormSession {
  return { ...session, now: { ...session.now, files }, errors: withoutErrors(session.errors, field.name) };
}

function withReading(session: FormSession, name: string, busy: boolean): FormSession {
  if (session.reading.includes(name) === busy) return session;
  const others = session.reading.filter((other) => other !== name);
  return { ...session, reading: busy ? [...others, name] : others };
}

/** A refusal without texts per field stands in the summary with its own words: a toast is soon gone. */
function returned(session: FormSession, event: Extract<FormEvent, { type: 'returned' }>): FormSession {
  const { repairing, errors, message } = event;
  return {
    ...withRepairing(session, repairing),
    phase: { kind: 'returned' },
    errors: Object.keys(errors).length > 0 ? errors : { '': [message] },
    attention: session.attention + 1,
  };
}

/** Whatever was repaired is refused no more. What was typed since an edit was sent keeps its form open; of a new record it goes on elsewhere. */
function settled(session: FormSession, conflictId: string | undefined): FormSession {
  const { phase, now, base } = session;
  if (phase.kind !== 'stored') return session;
  const { sent, entry } = phase;
  const typed = differs(sent, now) ? typedSince(sent, now) : undefined;
  if (typed !== undefined && base !== undefined) return continued(session, sent, typed);
  const left = withRepairing(session, undefined);
  if (typed === undefined && conflictId !== undefined)
    return { ...left, phase: { kind: 'conflict', entryId: conflictId } };
  return { ...left, phase: { kind: 'done', entry, ...(typed !== undefined && { typed }) } };
}

/** The form goes on from what was saved: that counts as unchanged, and its files have left. */
function continued(session: FormSession, sent: FormContent, typed: FormContent): FormSession {
  const { restoredAt: _, repairing: __, base, ...rest } = session;
  const start = { values: sent.values, files: [] };
  return {
    ...rest,
    phase: { kind: 'editing' },
    start,
    now: typed,
    ...(base !== undefined && { base: { ...base, values: sent.values } }),
  };
}

/**
 * As long as nothing is typed the form shows what the record is now, and an edit is measured against that. Where only what was
 * saved here has arrived, the edit goes on, measured against what the server has now.
 */
function followed(session: FormSession, content: FormContent, base: Base): FormSession {
  const { start, now } = session;
  if (session.base === undefined || !isOther(session.base, base)) return session;
  const idle = !differs(start, now) && !isSaving(session) && session.reading.length === 0;
  if (idle) return { ...reopened(session, { start: content, base }), round: session.round };
  return sameValues(start.values, base.values) ? { ...session, base } : session;
}

function reopened(session: FormSession, opening: Omit<Opening, 'fields'>): FormSession {
  const anew = openSession({ fields: session.fields, ...opening });
  return { ...anew, attention: session.attention, round: session.round + 1 };
}

function withRepairing(session: FormSession, repairing: string | undefined): FormSession {
  const { repairing: _, ...rest } = session;
  return repairing === undefined ? rest : { ...rest, repairing };
}

function unwarned(session: FormSession): FormSession {
  const { warned: _, ...rest } = session;
  return rest;
}

function withoutErrors(errors: FieldErrors, name: string): FieldErrors {
  return Object.fromEntries(Object.entries(errors).filter(([key]) => key !== name && !key.startsWith(`${name}.`)));
}

function isOther(base: Base, fresh: Base): boolean {
  return base.version !== fresh.version || !sameValues(base.values, fresh.values);
}

/** Line ends aside, which some servers change. */
function sameValues(one: Values, other: Values): boolean {
  return Object.keys(other).every((name) => sameText(one[name], other[name]));
}
