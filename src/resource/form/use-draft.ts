import { useEffect, useRef, useState } from 'react';
import { drafts, type FormDraft } from '../../api/drafts.ts';
import { outbox } from '../../api/outbox.ts';
import { recordDraftKey } from '../../domain/draft-keys.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { type Resource, routesOf } from '../../domain/resource.ts';
import { hasUnsavedWork, watchUnsaved } from '../../stores/unsaved.ts';
import type { FormContent } from './content.ts';

/** Well under the second that a killed tab may cost. */
const KEEP_AFTER = 400;

/** So many tabs of one create form keep drafts of their own; those beyond share the first one's. */
const TABS = 8;

/**
 * The key of this tab's new record, out of the key that all tabs of its form would share. Of those that no open tab
 * has, one with a draft under it comes first. Undefined until the tabs are told apart.
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

/** Claims a key until the promise resolves. Without locks (a page that is not secure) all tabs share the key. */
async function claimDraftKey(shared: string, left: Promise<void>): Promise<string> {
  const locks = (navigator as { locks?: LockManager }).locks;
  if (locks === undefined) return shared;
  const keys = Array.from({ length: TABS }, (_, at) => (at === 0 ? shared : `${shared}/${at + 1}`));
  // One tab after the other: two that looked at once would choose the same.
  return locks.request(`voltdesk-draft-claims ${shared}`, async () => {
    const held = new Set((await locks.query()).held?.map(({ name }) => name));
    const free = keys.filter((key) => !held.has(draftLock(key)));
    const key = (await firstKept(free)) ?? free[0] ?? shared;
    void locks.request(draftLock(key), () => left);
    return key;
  });
}

function draftLock(key: string): string {
  return `voltdesk-draft ${key}`;
}

async function firstKept(keys: readonly string[]): Promise<string | undefined> {
  const found = await Promise.all(keys.map((key) => drafts.read(key).catch(() => undefined)));
  return keys.find((_, at) => found[at] !== undefined);
}

/**
 * The unsaved draft kept under a key: `undefined` while it is being looked for, `null` where there is none. One that is
 * still under the key that the form had `before` comes along.
 */
export function useStoredDraft(key: string, before?: string): FormDraft | null | undefined {
  const [found, setFound] = useState<{ key: string; before: string | undefined; draft: FormDraft | null }>();
  useEffect(() => {
    let wanted = true;
    const show = (draft: FormDraft | null) => wanted && setFound({ key, before, draft });
    // After what was forgotten or kept a moment ago. A form opens without its draft rather than not at all.
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

/** What is kept under the new key already is newer. */
async function moveDraft(from: string, to: string): Promise<void> {
  const draft = await drafts.read(from);
  if (draft === undefined) return;
  if ((await drafts.read(to)) === undefined) await drafts.write(to, draft);
  await drafts.remove(from);
}

/**
 * Keeps an open form on the device while it differs from what is stored, and forgets it when it no longer does. `restored`
 * tells that one was kept before.
 */
export function useKeepDraft(key: string, draft: Omit<FormDraft, 'savedAt'>, dirty: boolean, restored: boolean): void {
  const { values, files, base } = draft;
  const latest = useRef({ key, draft });
  const kept = useRef(restored ? key : undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    latest.current = { key, draft: { values, files, ...(base === undefined ? {} : { base }) } };
    const before = kept.current;
    // The record's local id became the server's: the draft moves with it.
    if (before !== undefined && (before !== key || !dirty)) {
      kept.current = undefined;
      forgetDraft(before);
    }
    const keepNow = () => {
      clearTimeout(timer.current);
      timer.current = undefined;
      kept.current = latest.current.key;
      void keepDraft(latest.current.key, latest.current.draft);
    };
    const hidden = () => document.visibilityState === 'hidden' && timer.current !== undefined && keepNow();
    document.addEventListener('visibilitychange', hidden);
    // Not put off by the next keystroke: somebody who types without a pause is kept as well.
    if (dirty) timer.current ??= setTimeout(keepNow, KEEP_AFTER);
    else stopTimer(timer);
    return () => document.removeEventListener('visibilitychange', hidden);
  }, [key, values, files, base, dirty]);
  useEffect(() => () => stopTimer(timer), []);
  useForgetWhenAbandoned(key, dirty, timer);
}

/** Forgets a draft: it was saved, or given up. */
export function forgetDraft(key: string): void {
  void inTurn(() => drafts.remove(key));
}

/** Keeps a draft now. Resolves when it is kept, or found no room. */
function keepDraft(key: string, draft: Omit<FormDraft, 'savedAt'>): Promise<void> {
  return inTurn(() => drafts.write(key, { ...draft, savedAt: Date.now() }));
}

/**
 * What was typed while a new record was being saved belongs to that record: it becomes the unsaved draft of its edit. Saved from
 * the form of a new record it would make a second one. Answers where the edit goes on.
 */
export async function handOffDraft(resource: Resource, { administrator, change }: OutboxEntry, typed: FormContent) {
  const { list, edit } = routesOf(resource);
  if (!('recordId' in change)) return list;
  const known = await outbox.serverIdOf(resource.name, change.recordId).catch(() => undefined);
  const id = known === undefined ? change.recordId : String(known);
  await keepDraft(recordDraftKey(administrator, resource, id), typed);
  return edit(id);
}

let turn: Promise<void> = Promise.resolve();

/** One after the other, so that a draft on its way does not come back after it was forgotten. */
function inTurn(work: () => Promise<void>): Promise<void> {
  // A draft that finds no room is given up: the form itself still stands.
  turn = turn.then(work).catch((error: unknown) => console.warn('The unsaved draft could not be kept.', error));
  return turn;
}

type Timer = { current: ReturnType<typeof setTimeout> | undefined };

function stopTimer(timer: Timer): void {
  clearTimeout(timer.current);
  timer.current = undefined;
}

/** The administrator chose to leave without saving: that choice holds for the draft as well, also for one about to be kept. */
function useForgetWhenAbandoned(key: string, dirty: boolean, timer: Timer): void {
  useEffect(() => {
    if (!dirty) return undefined;
    let open = true;
    const forget = () => {
      if (!open || hasUnsavedWork()) return;
      stopTimer(timer);
      forgetDraft(key);
    };
    const stop = watchUnsaved(() => {
      // Unsaved work is also announced anew between two renderings; only what is still gone afterwards was given up.
      if (!hasUnsavedWork()) queueMicrotask(forget);
    });
    return () => {
      open = false;
      stop();
    };
  }, [key, dirty, timer]);
}
