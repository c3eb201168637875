import { useCallback, useEffect, useRef, useState } from 'react';
import type { ChangeDraft } from '../../api/outbox.ts';
import { SAVED_ON_DEVICE } from '../../domain/messages.ts';
import type { Field } from '../../domain/fields.ts';
import { MAX_FILE_BYTES } from '../../domain/limits.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import type { FieldErrors, Values } from '../../domain/validate.ts';
import { isOnline, useConnection } from '../../stores/connection.ts';
import { notify } from '../../stores/notifications.ts';
import { useStaying } from '../../stores/unsaved.ts';
import { useLatest } from '../../ui/use-latest.ts';
import { useAdministrator } from '../use-administrator.ts';
import { changedSince, differs, type FormContent, hintsFor } from './form-state.ts';
import { type SaveResult, saveChange } from './save.ts';
import type { RecordForm } from './use-record-form.ts';

export interface SubmitOptions {
  readonly fields: readonly Field[];
  /** The record's name in the outbox, out of what is typed. */
  readonly titleOf: (values: Values) => string;
  readonly form: RecordForm;
  readonly creating: boolean;
  /** A refused entry that this form mends. */
  readonly repairing: string | undefined;
  /** Makes the change out of what is typed and picked. */
  readonly draft: (content: FormContent) => ChangeDraft;
  /** The change is with the server, or durable on this device. */
  readonly onSaved: () => void;
  readonly onConflict: (entryId: string) => void;
  /** In place of these two where the form was typed in meanwhile: `saved` is what the change was made of. */
  readonly onTypedOn: (saved: FormContent, entry: OutboxEntry) => void | Promise<void>;
  /**
   * It was merged into an earlier change that is not the one the form mends, and that one was refused. `typed` is what was
   * typed meanwhile.
   */
  readonly onMergedRefused?: ((entryId: string, typed: FormContent | undefined) => void) | undefined;
}

export interface Submit {
  readonly saving: boolean;
  /** While an answer is waited for: what is on this device, so that leaving does not lose it. */
  readonly stored: FormContent | undefined;
  /** True when leaving now would lose something. */
  readonly dirty: boolean;
  /** What the server would refuse; set when Save stopped at it without a connection. */
  readonly warned: FieldErrors | undefined;
  /** Counts the answers that need a look, so that the summary takes the focus at each. */
  readonly attention: number;
  readonly submit: (anyway?: boolean) => Promise<void>;
}

/** Saving a form: once per press, through the outbox, with every way it can end. */
export function useSubmit(options: SubmitOptions): Submit {
  const { form, fields } = options;
  const { saving, setSaving } = form;
  const administrator = useAdministrator();
  const online = useConnection(isOnline);
  const busy = useRef(false);
  const [stored, setStored] = useState<FormContent>();
  useStaying(saving);
  const isOpen = useIsOpen();
  const [warned, setWarned] = useState<FieldErrors>();
  const [attention, setAttention] = useState(0);
  const [returned, setReturned] = useState<string>();
  const mending = returned ?? options.repairing;
  const latest = useLatest(options);

  /** What was typed since this was saved, in a form that still stands. */
  const typedOn = (saved: FormContent) => {
    const { state } = latest.current.form;
    return isOpen() && differs(saved, state) ? changedSince(saved, state) : undefined;
  };

  const giveBack = ({ repairing, errors, message }: Returned, sent: FormContent) => {
    if (repairing !== undefined && repairing !== mending) options.onMergedRefused?.(repairing, typedOn(sent));
    setReturned(repairing);
    // A refusal without texts per field stands in the summary with its own words: a toast is soon gone.
    form.setErrors(Object.keys(errors).length > 0 ? errors : { '': [message] });
    setAttention((count) => count + 1);
  };

  const close = async (result: SaveResult, saved: FormContent, entry: OutboxEntry) => {
    // Whatever this save mended is refused no more.
    setReturned(undefined);
    const { onTypedOn, onConflict, onSaved } = latest.current;
    if (typedOn(saved) !== undefined) {
      if (result.kind === 'conflict') notify(COMPARE, { kind: 'info' });
      await onTypedOn(saved, entry);
    } else if (result.kind === 'conflict') onConflict(result.entryId);
    else onSaved();
  };

  const stopsAtHints = () => {
    const hints = hintsFor(fields, form.state, { creating: options.creating, maxFileBytes: MAX_FILE_BYTES });
    if (Object.keys(hints).length === 0) return false;
    setWarned(hints);
    setAttention((count) => count + 1);
    return true;
  };

  const submit = async (anyway = false) => {
    // A photo that is still being read would stay behind.
    if (busy.current || form.reading) return;
    form.setErrors({});
    setWarned(undefined);
    // With a connection the server itself answers at once, and its word is the one that counts.
    if (!online && !anyway && stopsAtHints()) return;
    busy.current = true;
    setSaving(true);
    try {
      const sent = form.state;
      const title = options.titleOf(sent.values);
      let entry: OutboxEntry | undefined;
      const onStored = (made: OutboxEntry) => {
        entry = made;
        setStored(sent);
      };
      const result = await saveChange(options.draft(sent), { administrator, title }, mending, { onStored, isOpen });
      tell(result);
      if (result.kind === 'returned') giveBack(result, sent);
      else if (entry !== undefined) await close(result, sent, entry);
    } finally {
      busy.current = false;
      setSaving(false);
      setStored(undefined);
    }
  };
  const dirty = stored === undefined ? form.dirty : differs(stored, form.state);
  return { saving, stored, dirty, warned, attention, submit };
}

const COMPARE = 'The same fields have been changed since. Compare both versions.';

type Returned = Extract<SaveResult, { kind: 'returned' }>;

function tell(result: SaveResult): void {
  if (result.kind === 'saved') notify(result.message, { kind: 'success' });
  else if (result.kind === 'on-device') notify(SAVED_ON_DEVICE, { kind: 'info' });
  else if (result.kind !== 'conflict') notify(result.message, { kind: 'error' });
}

/** Tells, at any later time, whether the form still stands. */
function useIsOpen(): () => boolean {
  const open = useRef(true);
  useEffect(() => {
    open.current = true;
    return () => {
      open.current = false;
    };
  }, []);
  return useCallback(() => open.current, []);
}
