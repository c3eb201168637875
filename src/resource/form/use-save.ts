import { type ActionDispatch, useReducer, useRef } from 'react';
import type { ChangeDraft } from '../../api/outbox.ts';
import { MAX_FILE_BYTES } from '../../domain/limits.ts';
import type { Values } from '../../domain/validate.ts';
import { withSchemes } from '../../domain/web-address.ts';
import { isOnline, useConnection } from '../../stores/connection.ts';
import { notify } from '../../stores/notifications.ts';
import { useStaying } from '../../stores/unsaved.ts';
import { useLatest } from '../../ui/use-latest.ts';
import { useOpen } from '../../ui/use-open.ts';
import { useAdministrator } from '../use-administrator.ts';
import { changedSince, differs, type FormContent, hintsFor } from './content.ts';
import { type SaveResult, saveChange, type WaitingForm } from './save.ts';
import { type FormEvent, type FormSession, isSaving, type Opening, openSession, reduce } from './session.ts';
import { msg, say } from '../../language/t.ts';

/** An open form and its dispatch function. */
export interface OpenForm {
  readonly session: FormSession;
  readonly dispatch: ActionDispatch<[event: FormEvent]>;
}

export interface SaveOptions {
  readonly form: OpenForm;
  readonly creating: boolean;
  /** The record's title in the outbox, from its values. */
  readonly titleOf: (values: Values) => string;
  /** Builds the change from the form's content. */
  readonly changeOf: (content: FormContent) => ChangeDraft;
  /**
   * Called if the change was merged into an earlier one, other than the one the form repairs, and that one was refused. `typed`
   * is what was typed meanwhile.
   */
  readonly onMergedRefused?: ((entryId: string, typed: FormContent | undefined) => void) | undefined;
}

/** Saves a form through the outbox, one save at a time. Every outcome becomes an event of the form. */
export function useSave(options: SaveOptions): (anyway?: boolean) => Promise<void> {
  const { session, dispatch } = options.form;
  const administrator = useAdministrator();
  const online = useConnection(isOnline);
  const busy = useRef(false);
  const { isOpen } = useOpen();
  const latest = useLatest(options);
  useStaying(isSaving(session));

  const settle = (result: SaveResult, sent: FormContent) => {
    const { now } = latest.current.form.session;
    const typed = isOpen() && differs(sent, now) ? changedSince(sent, now) : undefined;
    if (result.kind === 'conflict' && typed !== undefined) notify(say(COMPARE), { kind: 'info' });
    if (result.kind === 'returned' && result.repairing !== undefined && result.repairing !== session.repairing)
      options.onMergedRefused?.(result.repairing, typed);
    dispatch(eventOf(result));
  };

  const save = async () => {
    const sent = completed(session);
    if (sent !== session.now) dispatch({ type: 'completed', content: sent });
    dispatch({ type: 'submitted' });
    const about = { administrator, title: options.titleOf(sent.values) };
    const onStored: WaitingForm['onStored'] = (entry) => dispatch({ type: 'stored', entry });
    const result = await saveChange(options.changeOf(sent), about, session.repairing, { onStored, isOpen });
    tellResult(result);
    settle(result, sent);
  };

  return async (anyway = false) => {
    // A photo that is still being read would be left out.
    if (busy.current || session.reading.length > 0) return;
    const hints = hintsFor(session.fields, completed(session), {
      creating: options.creating,
      maxFileBytes: MAX_FILE_BYTES,
    });
    // Online, the server answers at once and decides.
    if (!online && !anyway && Object.keys(hints).length > 0) return dispatch({ type: 'warned', errors: hints });
    busy.current = true;
    await save().finally(() => {
      busy.current = false;
    });
  };
}

/** What is in the form, with its web addresses complete: Enter saves a field that was not left. */
function completed({ fields, now }: FormSession): FormContent {
  const values = withSchemes(fields, now.values);
  return values === now.values ? now : { ...now, values };
}

const COMPARE = msg('The same fields have changed since. Compare both versions.');

function eventOf(result: SaveResult): FormEvent {
  switch (result.kind) {
    case 'returned':
      return { ...result, type: 'returned' };
    case 'not-stored':
      return { type: 'not-stored', why: { message: result.message, ...(result.isFull && { isFull: true }) } };
    case 'conflict':
      return { type: 'settled', conflictId: result.entryId };
    case 'saved':
    case 'on-device':
    case 'kept-after-fault':
      return { type: 'settled' };
    default:
      return result satisfies never;
  }
}

/** Reports the outcome of a save in a toast. A conflict has its own screen. */
export function tellResult(result: SaveResult): void {
  if (result.kind === 'saved') notify(result.message, { kind: 'success' });
  else if (result.kind === 'on-device') notify(result.message, { kind: 'info' });
  else if (result.kind !== 'conflict') notify(result.message, { kind: 'error' });
}

/** The state of an open form. `opening` counts on the first render only. */
export function useFormSession(opening: Opening): OpenForm {
  const [session, dispatch] = useReducer(reduce, opening, openSession);
  return { session, dispatch };
}
