import { useCallback, useState } from 'react';
import type { AttachmentField, Field } from '../../domain/fields.ts';
import type { FieldErrors } from '../../domain/validate.ts';
import { type FormFile, withFileMoved, withFiles } from '../../fields/form-file.ts';
import {
  differs,
  type FormContent,
  type FormState,
  startForm,
  typedSince,
  withFileList,
  withValue,
  withVisited,
} from './form-state.ts';

export interface RecordForm {
  readonly state: FormState;
  /** Changes when the form begins anew: what its inputs have told of the content before no longer holds. */
  readonly round: number;
  /** What counts as unchanged. */
  readonly origin: FormContent;
  /** True when leaving now would lose something. */
  readonly dirty: boolean;
  readonly setValue: (name: string, value: string) => void;
  readonly addFiles: (field: AttachmentField, added: readonly FormFile[]) => void;
  readonly removeFile: (field: AttachmentField, key: string) => void;
  readonly moveFile: (field: AttachmentField, key: string, to: number) => void;
  readonly visit: (name: string) => void;
  /** True while picked files are still being read. */
  readonly reading: boolean;
  readonly setReading: (field: AttachmentField, reading: boolean) => void;
  /** True while an answer to what was saved is waited for: nothing else than the administrator changes the form then. */
  readonly saving: boolean;
  readonly setSaving: (saving: boolean) => void;
  readonly setErrors: (errors: FieldErrors) => void;
  /** Begins anew with this content, which then counts as unchanged. */
  readonly restart: (content: FormContent) => void;
  /** This content was saved: it counts as unchanged, and its files have left the form. What was typed since then stands. */
  readonly goOn: (saved: FormContent) => void;
}

/** The state of one open form. `start` is what counts as unchanged; `content` what it opens with, where that differs. */
export function useRecordForm(
  fields: readonly Field[],
  start: FormContent,
  content: FormContent = start,
  errors: FieldErrors = {},
): RecordForm {
  const [origin, setOrigin] = useState(start);
  const [state, setState] = useState(() => startForm(content, errors));
  const [readingFields, setReadingFields] = useState<readonly string[]>([]);
  const [saving, setSaving] = useState(false);
  const [round, setRound] = useState(1);
  const setReading = useCallback((field: AttachmentField, reading: boolean) => {
    setReadingFields((before) => [...before.filter((name) => name !== field.name), ...(reading ? [field.name] : [])]);
  }, []);
  const restart = useCallback((next: FormContent) => {
    setOrigin(next);
    setState(startForm(next));
    setReadingFields([]);
    setRound((before) => before + 1);
  }, []);
  const goOn = useCallback((saved: FormContent) => {
    setOrigin({ values: saved.values, files: [] });
    setState((now) => ({ ...now, ...typedSince(saved, now) }));
  }, []);
  return {
    state,
    round,
    origin,
    dirty: differs(origin, state),
    setValue: (name, value) => setState((now) => withValue(fields, now, name, value)),
    addFiles: (field, added) => setState((now) => withFileList(now, withFiles(now.files, field, added), field)),
    removeFile: (field, key) =>
      setState((now) =>
        withFileList(
          now,
          now.files.filter((file) => file.key !== key),
          field,
        ),
      ),
    moveFile: (field, key, to) => setState((now) => withFileList(now, withFileMoved(now.files, key, to), field)),
    visit: (name) => setState((now) => withVisited(now, name)),
    reading: readingFields.length > 0,
    setReading,
    saving,
    setSaving,
    setErrors: (next) => setState((now) => ({ ...now, errors: next })),
    restart,
    goOn,
  };
}
