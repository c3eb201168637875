import { useEffect, useRef, useState } from 'react';
import { drafts, type FormDraft } from '../../api/drafts.ts';
import { outbox } from '../../api/outbox.ts';
import { recordDraftKey } from '../../domain/draft-keys.ts';
import type { OutboxEntry, RecordId } from '../../domain/outbox/vocabulary.ts';
import { type Resource, routesOf } from '../../domain/resource.ts';
import { hasUnsavedWork, isSetAside, watchUnsaved } from '../../stores/unsaved.ts';
import type { FormContent } from './content.ts';
import { extended, joinedDraft, NOTHING_OWN, type OwnPart, withoutPart } from './shared-draft.ts';

/** Delay before a draft is stored, well under the second that a killed tab may cost. Milliseconds. */
const KEEP_AFTER = 400;

/** How many tabs of one create form have their own draft. Further tabs share the first. */
const TABS = 8;

/**
 * This tab's draft key for a new record, derived from the key that all tabs of its form share. Prefers a free key with a stored
 * draft. Undefined until a key is claimed.
 */
export function useOwnDraftKey(shared: string): string | undefined {
  const [own, setOwn] = useState<{ readonly shared: string; readonly key: string }>();
  useEffect(() => {
    const left = Promise.withResolvers<void>();
    let wanted = true;
    void claimDraftKey(shared, left.promise).then((key) => wanted && setOwn({ shared, key }));
    return () => {
      wanted = false;
      left.resolve();
    };
  }, [shared]);
  return own?.shared === shared ? own.key : undefined;
}

/** Claims a key until `left` resolves. Without locks (on an insecure page), all tabs share the key. */
async function claimDraftKey(shared: string, left: Promise<void>): Promise<string> {
  const locks = (navigator as { locks?: LockManager }).locks;
  if (locks === undefined) return shared;
  // One tab at a time: two concurrent tabs would choose the same key.
  return locks.request(`voltdesk-draft-claims ${shared}`, async () => {
    const key = await freeKey(shared, locks);
    void locks.request(draftLock(key), () => left);
    return key;
  });
}

/** The draft key that the next form for a new record will claim. One that another tab has open would overwrite the draft. */
export async function nextDraftKey(shared: string): Promise<string> {
  const locks = (navigator as { locks?: LockManager }).locks;
  return locks === undefined ? shared : freeKey(shared, locks);
}

async function freeKey(shared: string, locks: LockManager): Promise<string> {
  const keys = Array.from({ length: TABS }, (_, at) => (at === 0 ? shared : `${shared}/${at + 1}`));
  const held = new Set((await locks.query()).held?.map(({ name }) => name));
  const free = keys.filter((key) => !held.has(draftLock(key)));
  return (await firstKept(free)) ?? free[0] ?? shared;
}

function draftLock(key: string): string {
  return `voltdesk-draft ${key}`;
}

async function firstKept(keys: readonly string[]): Promise<string | undefined> {
  const found = await Promise.all(keys.map((key) => drafts.read(key).catch(() => undefined)));
  return keys.find((_, at) => found[at] !== undefined);
}

/**
 * The unsaved draft under a key: `undefined` while loading, `null` if there is none. A draft under the form's previous key
 * (`before`) moves along.
 */
export function useStoredDraft(key: string, before?: string): FormDraft | null | undefined {
  const [found, setFound] = useState<{ key: string; before: string | undefined; draft: FormDraft | null }>();
  useEffect(() => {
    let wanted = true;
    const show = (draft: FormDraft | null) => wanted && setFound({ key, before, draft });
    // After pending writes. If reading fails, the form opens without its draft.
    if (before !== undefined) void inTurn(() => moveDraft(before, key));
    turn
      .then(() => drafts.read(key))
      .then(
        (draft) => show(draft ?? null),
        () => show(null),
      );
    return () => {
      wanted = false;
    };
  }, [key, before]);
  return found?.key === key && found.before === before ? found.draft : undefined;
}

/** Moves a draft. One already under the new key is newer and stays. */
async function moveDraft(from: string, to: string): Promise<void> {
  const draft = await drafts.read(from);
  if (draft === undefined) return;
  if ((await drafts.read(to)) === undefined) await drafts.write(to, draft);
  await drafts.remove(from);
}

/**
 * Stores the draft of an open form while it has unsaved input, and removes it when it no longer has. `restored` says that a draft
 * exists already.
 */
export function useKeepDraft(key: string, draft: Omit<FormDraft, 'savedAt'>, dirty: boolean, restored: boolean): Part {
  const { values, files, base, repairing } = draft;
  const own = useRef(NOTHING_OWN);
  const latest = useRef({ key, draft });
  const kept = useRef(restored ? key : undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    const repairs = repairing === undefined ? {} : { repairing };
    latest.current = { key, draft: { values, files, ...(base === undefined ? {} : { base }), ...repairs } };
    own.current = extended(own.current, { values, files });
    const before = kept.current;
    // The record got its server id: the draft moves to the new key.
    if (before !== undefined && (before !== key || !dirty)) {
      kept.current = undefined;
      forgetDraft(before, own.current, { values, files });
    }
    const keepNow = () => {
      clearTimeout(timer.current);
      timer.current = undefined;
      kept.current = latest.current.key;
      void keepDraft(latest.current.key, latest.current.draft, own.current);
    };
    const hidden = () => document.visibilityState === 'hidden' && timer.current !== undefined && keepNow();
    document.addEventListener('visibilitychange', hidden);
    // Not a debounce: the draft of someone who types without a pause is stored too.
    if (dirty) timer.current ??= setTimeout(keepNow, KEEP_AFTER);
    else stopTimer(timer);
    return () => document.removeEventListener('visibilitychange', hidden);
  }, [key, values, files, base, repairing, dirty]);
  useEffect(() => () => stopTimer(timer), []);
  useEndOfWork(key, dirty, timer, { own, latest });
  return own;
}

/** The part of a draft that a form has written. */
type Part = { readonly current: OwnPart };

/** Removes a form's part of a draft that was saved or discarded. `now` is the form's content. */
export function forgetDraft(key: string, own: OwnPart = NOTHING_OWN, now?: FormContent): void {
  void inTurn(async () => {
    const stored = now === undefined || own.begun === undefined ? undefined : await drafts.read(key);
    const left = stored && withoutPart(stored, own, now);
    await (left === undefined ? drafts.remove(key) : drafts.write(key, left));
  });
}

/** Removes the draft of a record that is gone. */
export function forgetRecordDraft(administrator: string, resource: Resource, id: RecordId): void {
  forgetDraft(recordDraftKey(administrator, resource, id));
}

/** Stores a draft now. Resolves when it is stored or does not fit. */
function keepDraft(key: string, draft: Omit<FormDraft, 'savedAt'>, own = NOTHING_OWN): Promise<void> {
  return inTurn(async () => {
    const stored = draft.base === undefined ? undefined : await drafts.read(key);
    await drafts.write(key, { ...joinedDraft(stored, draft, own), savedAt: Date.now() });
    noteKept(draft.files);
  });
}

const keepers = new Set<(keys: ReadonlySet<string>) => void>();

/** Reports that files of a form are durable, in its draft or in the outbox. */
export function noteKept(files: FormContent['files']): void {
  const keys = new Set(files.map(({ key }) => key));
  for (const told of keepers) told(keys);
}

/** Runs `work` once all of these files of a form are durable. Returns a function that stops waiting. */
export function onceKept(files: FormContent['files'], work: () => void): () => void {
  const waiting = new Set(files.map(({ key }) => key));
  const told = (keys: ReadonlySet<string>) => {
    for (const key of keys) waiting.delete(key);
    if (waiting.size > 0 || !keepers.delete(told)) return;
    work();
  };
  keepers.add(told);
  return () => void keepers.delete(told);
}

/**
 * Hands input typed during the save of a new record to the edit form of that record, as an unsaved draft. Saved from the create
 * form, it would create a second record. Returns the address of the edit form.
 */
export async function handOffDraft(resource: Resource, { administrator, change }: OutboxEntry, typed: FormContent) {
  const { list, edit } = routesOf(resource);
  if (!('recordId' in change)) return list;
  const known = await outbox.serverIdOf(resource.name, change.recordId).catch(() => undefined);
  const id = known === undefined ? change.recordId : String(known);
  const base = { values: change.op === 'create' ? change.values : {}, imageIds: [] };
  await keepDraft(recordDraftKey(administrator, resource, id), { ...typed, base });
  return edit(id);
}

let turn: Promise<void> = Promise.resolve();

/** Held while a draft is read and written: another tab may have the same record open. */
const LOCK = 'voltdesk-drafts';

/** Runs writes in order, so that a late write does not bring back a removed draft. */
function inTurn(work: () => Promise<void>): Promise<void> {
  const locks = (navigator as { locks?: LockManager }).locks;
  // A draft that does not fit is dropped: the form itself is still open.
  turn = turn
    .then(() => (locks === undefined ? work() : locks.request(LOCK, work)))
    .catch((error: unknown) => console.warn('The unsaved draft could not be kept.', error));
  return turn;
}

type Timer = { current: ReturnType<typeof setTimeout> | undefined };

function stopTimer(timer: Timer): void {
  clearTimeout(timer.current);
  timer.current = undefined;
}

interface Kept {
  readonly own: Part;
  readonly latest: { readonly current: { readonly draft: Omit<FormDraft, 'savedAt'> } };
}

/**
 * Removes the draft, stored or pending, when the user chooses to leave without saving. Stores it at once when the work is set
 * aside.
 */
function useEndOfWork(key: string, dirty: boolean, timer: Timer, { own, latest }: Kept): void {
  useEffect(() => {
    if (!dirty) return undefined;
    let open = true;
    const forget = () => {
      if (!open || hasUnsavedWork()) return;
      stopTimer(timer);
      if (isSetAside()) void keepDraft(key, latest.current.draft, own.current);
      else forgetDraft(key, own.current, latest.current.draft);
    };
    const stop = watchUnsaved(() => {
      // Unsaved work is also re-announced between two renders; only work that stays gone was abandoned.
      if (!hasUnsavedWork()) queueMicrotask(forget);
    });
    return () => {
      open = false;
      stop();
    };
  }, [key, dirty, timer, own, latest]);
}
