import { useRef, useState } from 'react';
import { SAVED_ON_DEVICE } from '../../domain/messages.ts';
import type { Base } from '../../domain/outbox/vocabulary.ts';
import { SITE_META } from '../../domain/site-meta.ts';
import type { FieldErrors } from '../../domain/validate.ts';
import type { FormFile } from '../../fields/form-file.ts';
import { hintsFor } from '../../resource/form/form-state.ts';
import { type SaveResult, saveChange } from '../../resource/form/save.ts';
import type { RecordForm } from '../../resource/form/use-record-form.ts';
import { useAdministrator } from '../../resource/use-administrator.ts';
import { isOnline, useConnection } from '../../stores/connection.ts';
import { notify } from '../../stores/notifications.ts';

export const NO_FILES: readonly FormFile[] = [];

interface Options {
  readonly form: RecordForm;
  /** The settings as they were when the edit began. */
  readonly base: Base;
  /** A refused change that this save mends. */
  readonly repairing: string | undefined;
  readonly onSaved: () => void;
}

/** Saves the site-wide settings through the outbox, once per press. */
export function useSaveSiteMeta({ form, base, repairing, onSaved }: Options) {
  const administrator = useAdministrator();
  const online = useConnection(isOnline);
  const busy = useRef(false);
  const [saving, setSaving] = useState(false);
  const [warned, setWarned] = useState<FieldErrors>();
  const [attention, setAttention] = useState(0);
  const lookHere = () => setAttention((count) => count + 1);

  const finish = (result: SaveResult) => {
    if (result.kind === 'saved') notify(result.message, { kind: 'success' });
    else if (result.kind === 'on-device') notify(SAVED_ON_DEVICE, { kind: 'info' });
    else if (result.kind === 'conflict') notify(CONFLICT, { kind: 'info' });
    else notify(result.message, { kind: 'error' });
    if (result.kind !== 'returned' && result.kind !== 'not-stored') onSaved();
    if (result.kind !== 'returned') return;
    form.setErrors(result.errors);
    lookHere();
  };

  const stopsAtHints = () => {
    const hints = hintsFor(SITE_META.fields, form.state, { creating: false, maxFileBytes: 0 });
    if (Object.keys(hints).length === 0) return false;
    setWarned(hints);
    lookHere();
    return true;
  };

  const run = async () => {
    busy.current = true;
    setSaving(true);
    try {
      const draft = { op: 'save-settings', values: form.state.values, base } as const;
      finish(await saveChange(draft, { administrator, title: SITE_META.label }, repairing));
    } finally {
      busy.current = false;
      setSaving(false);
    }
  };

  const submit = (anyway = false) => {
    if (busy.current) return;
    form.setErrors({});
    setWarned(undefined);
    if (!online && !anyway && stopsAtHints()) return;
    void run();
  };
  return { saving, warned, attention, submit };
}

const CONFLICT = 'Somebody else has changed the same settings. Please compare.';
