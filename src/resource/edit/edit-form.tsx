import { type ReactNode, useState } from 'react';
import type { RecordReading } from '../../api/reads.ts';
import { baseOfView } from '../../domain/outbox/base.ts';
import { sameText } from '../../domain/outbox/conflict.ts';
import type { RecordView } from '../../domain/outbox/optimistic-view.ts';
import type { Base, RecordId } from '../../domain/outbox/vocabulary.ts';
import type { Resource, ServerRecord } from '../../domain/resource.ts';
import type { Values } from '../../domain/validate.ts';
import type { FormDraft } from '../../api/drafts.ts';
import { emptyContent, type FormContent } from '../form/form-state.ts';
import { RecordFormView } from '../form/record-form.tsx';
import { useRecordForm } from '../form/use-record-form.ts';
import { EditNotice, StaleNotice } from './edit-notice.tsx';
import { usePresentFiles } from './present-files.ts';
import { useDeleteImage } from './use-delete-image.ts';
import type { Refused } from './use-refused.ts';

/** What an edit form opens with. */
export interface Opening {
  readonly formKey: string;
  readonly view: RecordView;
  readonly record: ServerRecord | undefined;
  readonly draft: FormDraft | null;
  readonly refused: Refused | null;
}

interface EditFormProps {
  readonly resource: Resource;
  readonly id: RecordId;
  readonly draftKey: string;
  readonly opening: Opening;
  readonly reading: RecordReading;
  /** A change that this edit was merged into was refused: the form has to open it as it is there. */
  readonly onMergedRefused: (entryId: string, typed: FormContent | undefined) => void;
  /** What follows the fields. */
  readonly children?: ReactNode;
}

/** The form of a record that is there: prefilled, following the record until something is typed. */
export function EditForm(props: EditFormProps) {
  const { resource, id, draftKey, opening, reading, onMergedRefused, children } = props;
  const [mended, setMended] = useState(false);
  const refused = mended ? null : opening.refused;
  const draft = newestOf(opening);
  const view = reading.view ?? opening.view;
  const start = opening.refused?.content ?? contentOf(resource, opening.view);
  const form = useRecordForm(resource.fields, start, draft ?? start, refused?.errors);
  const [base, setBase] = useState(draft?.base ?? baseOfView(opening.view));
  const present = usePresentFiles(resource, refused === null ? view : withoutWaiting(view));
  const deleteImage = useDeleteImage(resource, id, view);

  const takeOver = () => {
    form.restart(contentOf(resource, view));
    setBase(baseOfView(view));
  };
  const goOn = (saved: FormContent) => {
    form.goOn(saved);
    setBase((before) => ({ ...before, values: saved.values }));
    setMended(true);
  };
  const discardTyped = () => {
    if (refused === null) takeOver();
    else {
      // The refused change itself, with its files: nobody gave that up.
      form.restart(start);
      form.setErrors(refused.errors);
    }
  };
  const fresh = baseOfView(view);
  const moved = refused === null && reading.record !== undefined && isOther(base, fresh);
  // As long as nothing is typed the form shows what the record is now, and an edit is measured against that.
  if (moved && !form.dirty && !form.saving) takeOver();
  // Only what was saved here has arrived meanwhile: the edit goes on, measured against what the server has now.
  else if (moved && sameValues(form.origin.values, fresh.values)) setBase(fresh);

  return (
    <RecordFormView
      resource={resource}
      form={form}
      creating={refused?.change.op === 'create'}
      draftKey={draftKey}
      restoredAt={draft?.savedAt}
      onDiscardRestored={discardTyped}
      base={base}
      repairing={refused?.entryId}
      submitLabel="Update"
      draft={({ values, files }) =>
        refused?.change.op === 'create'
          ? { op: 'create', resource: resource.name, values, files }
          : { op: 'update', resource: resource.name, recordId: id, values, files, base: baseOfRefused(refused) ?? base }
      }
      afterSave="list"
      onTypedOn={goOn}
      onMergedRefused={onMergedRefused}
      notice={<EditNotice view={view} refused={refused} />}
      saveNotice={moved && form.dirty && !form.saving && <StaleNotice onTakeOver={takeOver} />}
      present={present}
      onDeletePresent={(key) => void deleteImage(key)}
    >
      {children}
    </RecordFormView>
  );
}

/** What was typed after the change had been refused is newer than the refused change itself. */
function newestOf({ draft, refused }: Opening): FormDraft | null {
  return draft !== null && refused !== null && draft.savedAt < refused.at ? null : draft;
}

function contentOf(resource: Resource, view: RecordView): FormContent {
  const empty = emptyContent(resource);
  return { ...empty, values: { ...empty.values, ...view.values } };
}

function baseOfRefused(refused: Refused | null): Base | undefined {
  return refused?.change.op === 'update' ? refused.change.base : undefined;
}

function sameValues(one: Values, other: Values): boolean {
  return Object.keys(other).every((name) => sameText(one[name], other[name]));
}

function isOther(base: Base, fresh: Base): boolean {
  return base.version !== fresh.version || !sameValues(base.values, fresh.values);
}

/** A refused change's files are in the form itself, where they can be taken out. */
function withoutWaiting(view: RecordView): RecordView {
  return { ...view, pendingFiles: [] };
}
