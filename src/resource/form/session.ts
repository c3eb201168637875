import type { AttachmentField, Field } from '../../domain/fields.ts';
import { sameText } from '../../domain/outbox/conflict.ts';
import type { Base, OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import type { FieldErrors, Values } from '../../domain/validate.ts';
import { type FormFile, withFileMoved, withFiles } from '../../fields/form-file.ts';
import { withScheme } from '../../domain/web-address.ts';
import { differs, type FormContent, typedSince } from './content.ts';
import type { NotStored } from './save.ts';

/**
 * The phase of a form.
 * - `editing`: the user is typing
 * - `saving`: Save was pressed; `sent` is not durable yet
 * - `stored`: durable on this device, waiting for the answer
 * - `returned`: the server refused the change and the form has it back
 * - `conflict`: the record has changed on the server; the outbox shows the comparison
 * - `done`: on the server or on its way. `typed` is what was typed into a new record meanwhile
 */
export type Phase =
  | { readonly kind: 'editing' }
  | { readonly kind: 'saving'; readonly sent: FormContent }
  | { readonly kind: 'stored'; readonly sent: FormContent; readonly entry: OutboxEntry }
  | { readonly kind: 'returned' }
  | { readonly kind: 'conflict'; readonly entryId: string }
  | { readonly kind: 'done'; readonly typed?: FormContent; readonly entry: OutboxEntry };

/** The initial state of a form. */
export interface Opening {
  readonly fields: readonly Field[];
  /** The content that counts as unchanged. */
  readonly start: FormContent;
  /** The content shown, if it differs from `start`. */
  readonly content?: FormContent;
  readonly errors?: FieldErrors;
  /** The record as it was when the edit began. A new record has none. */
  readonly base?: Base;
  /** The refused change that Save repairs. */
  readonly repairing?: string;
  /** When the restored draft was stored, in epoch milliseconds. 0 if no form stored it: shared photos began it. */
  readonly restoredAt?: number;
}

/** The complete state of an open form, as plain data. Events produce the next state. */
export interface FormSession extends Omit<Opening, 'content' | 'errors'> {
  readonly phase: Phase;
  /** The current values and files. */
  readonly now: FormContent;
  /** The server's messages per field, until the field is edited or the form is sent again. */
  readonly errors: FieldErrors;
  /** What the server would refuse; set when an offline Save stopped to warn. */
  readonly warned?: FieldErrors;
  /** Why the last Save stored nothing. A toast would be gone before anybody has made space. */
  readonly notStored?: NotStored;
  /** Names of the fields that have been left once. Only those show hints, so that nobody is corrected while typing. */
  readonly visited: readonly string[];
  /** Names of the fields whose files are still being read. */
  readonly reading: readonly string[];
  /** Counts answers that need attention. The summary takes the focus at each. */
  readonly attention: number;
  /** Counts restarts of the form. Inputs reset their own state at each. */
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
  /** Save has completed what was typed. */
  | { readonly type: 'completed'; readonly content: FormContent }
  | { readonly type: 'submitted' }
  | { readonly type: 'stored'; readonly entry: OutboxEntry }
  | { readonly type: 'not-stored'; readonly why?: NotStored }
  | { readonly type: 'returned'; readonly errors: FieldErrors; readonly message: string; readonly repairing?: string }
  /** Confirmed, on its way, or in conflict. */
  | { readonly type: 'settled'; readonly conflictId?: string }
  /** The device has learned a newer state of the record. */
  | { readonly type: 'followed'; readonly content: FormContent; readonly base: Base }
  /** Restarts the form. */
  | { readonly type: 'reopened'; readonly opening: Omit<Opening, 'fields'> };

/** Opens a form. */
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

/** Applies an event. Pure. Returns the same object if nothing changes. */
export function reduce(session: FormSession, event: FormEvent): FormSession {
  switch (event.type) {
    case 'typed':
      return withValue(session, event.name, event.value);
    case 'left':
      return withVisited(session, event.name);
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
    case 'completed':
      return { ...session, now: event.content };
    case 'submitted':
      return { ...unwarned(stored(session)), errors: {}, phase: { kind: 'saving', sent: session.now } };
    case 'stored':
      return session.phase.kind === 'saving'
        ? { ...session, phase: { kind: 'stored', sent: session.phase.sent, entry: event.entry } }
        : session;
    case 'not-stored':
      return { ...session, phase: { kind: 'editing' }, ...(event.why && { notStored: event.why }) };
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

/** True while a save waits for its answer. Only the user changes the form then. */
export function isSaving({ phase }: FormSession): boolean {
  return phase.kind === 'saving' || phase.kind === 'stored';
}

/** True if leaving now would lose something. A stored change is not lost. */
export function isDirty({ phase, start, now }: FormSession): boolean {
  if (phase.kind === 'done' || phase.kind === 'conflict') return false;
  return differs(phase.kind === 'stored' ? phase.sent : start, now);
}

/** The content that is not stored yet, which an unsaved draft keeps. */
export function unsavedContent({ phase, now }: FormSession): FormContent {
  return phase.kind === 'stored' ? typedSince(phase.sent, now) : now;
}

/** True if the record has changed since the edit began and the form has unsaved input. */
export function isStale(session: FormSession, base: Base): boolean {
  return session.base !== undefined && isOther(session.base, base) && differs(session.start, session.now);
}

/** Values that someone else has changed since the edit began and that differ from the form, by field. */
export function changedMeanwhile({ base: begun, now }: FormSession, latest: Base): Values {
  const isNews = ([name, text]: readonly [string, string]) =>
    !sameText(begun?.values[name], text) && !sameText(now.values[name], text);
  return Object.fromEntries(Object.entries(latest.values).filter(isNews));
}

/** Names of the single-file fields whose file someone else has replaced or removed since the edit began. */
export function replacedMeanwhile({ base: begun }: FormSession, latest: Base): string[] {
  return Object.keys(begun?.files ?? {}).filter((field) => (latest.files?.[field] ?? '') !== begun?.files?.[field]);
}

/** A field that was left shows its hints from then on. What was typed into it is complete. */
function withVisited(session: FormSession, name: string): FormSession {
  const field = session.fields.find((one) => one.name === name);
  const text = session.now.values[name] ?? '';
  const complete = withScheme(field, text);
  const now = complete === text ? session : withValue(session, name, complete);
  return now.visited.includes(name) ? now : { ...now, visited: [...now.visited, name] };
}

/** Sets a value. Clears the field's errors and the value of every dependent field. */
function withValue(session: FormSession, name: string, value: string): FormSession {
  const dependents = session.fields.filter((field) => field.kind === 'lookup' && field.dependsOn === name);
  const cleared = Object.fromEntries(dependents.map((field) => [field.name, '']));
  const values = { ...session.now.values, [name]: value, ...cleared };
  return { ...withoutMessages(session, name), now: { ...session.now, values } };
}

/** Replaces the files and clears the errors of their field. */
function withFileList(session: FormSession, field: AttachmentField, files: readonly FormFile[]): FormSession {
  return { ...withoutMessages(session, field.name), now: { ...session.now, files } };
}

function withReading(session: FormSession, name: string, busy: boolean): FormSession {
  if (session.reading.includes(name) === busy) return session;
  const others = session.reading.filter((other) => other !== name);
  return { ...session, reading: busy ? [...others, name] : others };
}

/** A refusal without field errors is shown in the summary, because a toast disappears. */
function returned(session: FormSession, event: Extract<FormEvent, { type: 'returned' }>): FormSession {
  const { repairing, errors, message } = event;
  return {
    ...withRepairing(session, repairing),
    phase: { kind: 'returned' },
    errors: Object.keys(errors).length > 0 ? errors : { '': [message] },
    attention: session.attention + 1,
  };
}

/** The change is no longer refused. An edit with newer input keeps its form open; a new record continues as an edit. */
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

/** Continues from the saved content, which now counts as unchanged and whose files are gone. */
function continued(session: FormSession, sent: FormContent, typed: FormContent): FormSession {
  const { restoredAt: _, repairing: __, base, ...rest } = session;
  const start = { values: sent.values, files: [] };
  return {
    ...rest,
    phase: { kind: 'editing' },
    start,
    now: typed,
    ...(base !== undefined && { base: { ...withoutSentFiles(base, sent), values: sent.values } }),
  };
}

/** What the server calls a file that was just sent is not known yet. */
function withoutSentFiles(base: Base, { files: sent }: FormContent): Base {
  const known = Object.entries(base.files ?? {}).filter(([field]) => !sent.some((file) => file.field === field));
  return { ...base, files: Object.fromEntries(known) };
}

/**
 * Follows the record. A form without input shows the current record and rebases onto it. If only this form's own save has
 * arrived, the edit continues on the server's new version.
 */
function followed(session: FormSession, content: FormContent, base: Base): FormSession {
  const { start, now } = session;
  if (session.base === undefined || !isOther(session.base, base)) return session;
  const idle = !differs(start, now) && !isSaving(session) && session.reading.length === 0;
  if (idle) return { ...reopened(session, { start: content, base }), round: session.round };
  return sameValues(start.values, base.values) && sameFiles(session.base, base) ? { ...session, base } : session;
}

function reopened(session: FormSession, opening: Omit<Opening, 'fields'>): FormSession {
  const anew = openSession({ fields: session.fields, ...opening });
  return { ...anew, attention: session.attention, round: session.round + 1 };
}

function withRepairing(session: FormSession, repairing: string | undefined): FormSession {
  const { repairing: _, ...rest } = session;
  return repairing === undefined ? rest : { ...rest, repairing };
}

function stored(session: FormSession): FormSession {
  const { notStored: _, ...rest } = session;
  return rest;
}

function unwarned(session: FormSession): FormSession {
  const { warned: _, ...rest } = session;
  return rest;
}

/** Clears a field's errors and warnings. */
function withoutMessages(session: FormSession, name: string): FormSession {
  const warned = withoutErrors(session.warned ?? {}, name);
  return {
    ...unwarned(session),
    errors: withoutErrors(session.errors, name),
    ...(Object.keys(warned).length > 0 && { warned }),
  };
}

function withoutErrors(errors: FieldErrors, name: string): FieldErrors {
  return Object.fromEntries(Object.entries(errors).filter(([key]) => key !== name && !key.startsWith(`${name}.`)));
}

function isOther(base: Base, fresh: Base): boolean {
  return base.version !== fresh.version || !sameValues(base.values, fresh.values) || !sameFiles(base, fresh);
}

/** True if every single file that the edit began with is still there. Unknown ones were sent by this form. */
function sameFiles(base: Base, fresh: Base): boolean {
  return Object.entries(base.files ?? {}).every(([field, name]) => (fresh.files?.[field] ?? '') === name);
}

/** Compares values, ignoring line ends, which some servers change. */
function sameValues(one: Values, other: Values): boolean {
  return Object.keys(other).every((name) => sameText(one[name], other[name]));
}
