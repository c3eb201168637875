import { useCallback, useEffect, useRef, useState } from 'react';
import type { ChangeDraft } from '../../api/outbox.ts';
import { SAVED_ON_DEVICE } from '../../domain/messages.ts';
import type { Field } from '../../domain/fields.ts';
import { MAX_FILE_BYTES } from '../../domain/limits.ts';
import type { FieldErrors, Values } from '../../domain/validate.ts';
import { isOnline, useConnection } from '../../stores/connection.ts';
import { notify } from '../../stores/notifications.ts';
import { useStaying } from '../../stores/unsaved.ts';
import { useAdministrator } from '../use-administrator.ts';
import { type FormContent, hintsFor } from './form-state.ts';
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
  /** It was merged into an earlier change that is not the one the form mends, and that one was refused. */
  readonly onMergedRefused?: ((entryId: string) => void) | undefined;
}

export interface Submit {
  readonly saving: boolean;
  /** While an answer is waited for: the change is on this device, and leaving loses nothing. */
  readonly stored: boolean;
  /** What the server would refuse; set when Save stopped at it without a connection. */
  readonly warned: FieldErrors | undefined;
  /** Counts the answers that need a look, so that the summary takes the focus at each. */
  readonly attention: number;
  readonly submit: (anyway?: boolean) => Promise<void>;
}

/** Saving a form: once per press, through the outbox, with every way it can end. */
export function useSubmit(options: SubmitOptions): Submit {
  const { form, fields } = options;
  const administrator = useAdministrator();
  const online = useConnection(isOnline);
  const busy = useRef(false);
  const [saving, setSaving] = useState(false);
  const [stored, setStored] = useState(false);
  useStaying(saving);
  const isOpen = useIsOpen();
  const [warned, setWarned] = useState<FieldErrors>();
  const [attention, setAttention] = useState(0);
  const [returned, setReturned] = useState<string>();
  const mending = returned ?? options.repairing;

  const finish = (result: SaveResult) => {
    if (result.kind === 'saved') notify(result.message, { kind: 'success' });
    else if (result.kind === 'on-device') notify(SAVED_ON_DEVICE, { kind: 'info' });
    else if (result.kind !== 'conflict') notify(result.message, { kind: 'error' });
    if (result.kind === 'saved' || result.kind === 'on-device') options.onSaved();
    if (result.kind === 'conflict') options.onConflict(result.entryId);
    if (result.kind !== 'returned') return;
    if (result.repairing !== undefined && result.repairing !== mending) options.onMergedRefused?.(result.repairing);
    setReturned(result.repairing);
    form.setErrors(result.errors);
    setAttention((count) => count + 1);
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
      const title = options.titleOf(form.state.values);
      const waiting = { onStored: () => setStored(true), isOpen };
      finish(await saveChange(options.draft(form.state), { administrator, title }, mending, waiting));
    } finally {
      busy.current = false;
      setSaving(false);
      setStored(false);
    }
  };
  return { saving, stored, warned, attention, submit };
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
