import { type ReactNode, useState } from 'react';
import type { RecordReading } from '../../api/reads.ts';
import type { ChangeDraft } from '../../api/outbox.ts';
import { sameText } from '../../domain/outbox/conflict.ts';
import { baseOfView } from '../../domain/outbox/base.ts';
import { isValue } from '../../domain/fields.ts';
import type { KeptFile } from '../../domain/history.ts';
import type { RecordView } from '../../domain/outbox/optimistic-view.ts';
import type { Base, RecordId } from '../../domain/outbox/vocabulary.ts';
import { type AnyResource, isSingle } from '../../domain/resource.ts';
import type { Values } from '../../domain/validate.ts';
import { differs, emptyContent, type FormContent } from '../form/content.ts';
import { RecordFormView } from '../form/record-form.tsx';
import { changedMeanwhile, type FormEvent, isSaving, isStale, reduce, replacedMeanwhile } from '../form/session.ts';
import { type OpenForm, useFormSession } from '../form/use-save.ts';
import { useListPlace } from '../list/list-order.ts';
import { deliveryWords } from './delivery-words.ts';
import { restoredContent } from './restore.ts';
import { conflictOf, EditNotice, GoneNotice, StaleNotice } from './edit-notice.tsx';
import { useAuthors } from './use-authors.ts';
import { usePresentFiles } from './present-files.ts';
import { useImageActions } from './use-image-actions.ts';
import type { EditOpening } from './use-opening.ts';
import { useTakenPhotos } from './use-taken-photos.ts';
import { say, t } from '../../language/t.ts';

interface EditFormProps {
  readonly resource: AnyResource;
  readonly id: RecordId;
  readonly draftKey: string;
  readonly opening: EditOpening;
  readonly reading: RecordReading;
  /** Called if the change this edit was merged into was refused: the form has to open that one. */
  readonly onMergedRefused: (entryId: string, typed: FormContent | undefined) => void;
  /** Content below the fields. It can restore the values and files of an earlier version. */
  readonly children: (onBringBack: BringBack) => ReactNode;
}

/** Puts the values and the kept files of an earlier version into the form. */
export type BringBack = (values: Values, files: readonly KeptFile[]) => void;

const NOTHING: Values = {};
const NO_FILES: readonly string[] = [];

/** The form of an existing record: prefilled, and following the record until the user types. */
export function EditForm(props: EditFormProps) {
  const { resource, id, opening, reading } = props;
  const form = useFormSession(openingOf(resource, opening));
  const { session, dispatch } = form;
  useTakenPhotos(resource, form);
  const refused = session.repairing === opening.refused?.entryId ? opening.refused : null;
  const view = reading.view ?? opening.view;
  const present = usePresentFiles(resource, refused === null ? view : withoutWaiting(view));
  const presentActions = useImageActions(resource, id, view);
  const latest = { start: contentOf(resource, view), base: baseOfView(view) };
  const showLatest = () => dispatch({ type: 'reopened', opening: latest });
  const follows = refused === null && reading.record !== undefined;
  const followed: FormEvent = { type: 'followed', content: latest.start, base: latest.base };
  if (follows && reduce(session, followed) !== session) dispatch(followed);
  const stale = follows && isStale(session, latest.base) && !isSaving(session);
  const conflict = conflictOf(view);
  const serverVersion = stale ? latest.base.version : conflict?.conflict?.theirs?.version;
  const authors = useAuthors(resource, reading.serverId, serverVersion);
  const next = useListPlace(resource, id)?.next;
  // Saved again, a record that someone else has deleted is a new one.
  const gone = reading.missing && !isSingle(resource);
  const creating = gone || refused?.change.op === 'create';
  const madeOn = refused !== null && 'base' in refused.change ? refused.change.base : session.base;
  const base = madeOn ?? latest.base;
  const [restored, setRestored] = useState(NOTHING);
  const restore: BringBack = (values, files) => {
    const { values: now } = session.now;
    setRestored(Object.fromEntries(Object.entries(values).filter(([name, value]) => !sameText(value, now[name]))));
    // Restored onto the record as it is now: the version that the form was opened on would count as nothing typed.
    if (stale) dispatch({ type: 'reopened', opening: { ...latest, content: session.now } });
    bringBack(form, values);
    if (files.length > 0) void bringFilesBack(resource, files, form);
  };
  return (
    <RecordFormView
      resource={resource}
      form={form}
      creating={creating}
      draftKey={props.draftKey}
      // Discarding the draft returns to the refused change and its files, which nobody discarded.
      onDiscardRestored={() =>
        refused === null
          ? showLatest()
          : dispatch({ type: 'reopened', opening: openingOf(resource, { ...opening, draft: null }) })
      }
      recordId={id}
      next={next}
      submitLabel={submitLabel(resource, gone)}
      changeOf={(content) => changeOf(resource, id, content, { creating, base })}
      onStay={
        isSingle(resource)
          ? () => dispatch({ type: 'reopened', opening: { ...latest, start: session.now } })
          : undefined
      }
      stateWords={
        isSingle(resource) && view.entries.length > 0
          ? deliveryWords(view.entries, 'update', t('Saved on this device, not sent yet'))
          : ''
      }
      onMergedRefused={props.onMergedRefused}
      notice={<EditNotice view={view} refused={refused} authors={authors} />}
      saveNotice={gone ? <GoneNotice resource={resource} /> : stale && <StaleNotice onTakeOver={showLatest} />}
      theirs={stale ? changedMeanwhile(session, latest.base) : NOTHING}
      authors={authors}
      restored={restored}
      theirFiles={stale ? replacedMeanwhile(session, latest.base) : NO_FILES}
      present={present}
      presentActions={presentActions}
    >
      {props.children(restore)}
    </RecordFormView>
  );
}

/** Sets all values in the definition's order, because setting a choice clears its dependent fields. */
function bringBack({ session, dispatch }: OpenForm, values: Values): void {
  for (const { name } of session.fields.filter(isValue)) dispatch({ type: 'typed', name, value: values[name] ?? '' });
}

async function bringFilesBack(resource: AnyResource, files: readonly KeptFile[], form: OpenForm): Promise<void> {
  const { restoreFiles } = await import('./restore-files.ts');
  await restoreFiles(resource, files, form);
}

/** The change that Save makes. A refused create stays a create; an edit carries its base. */
function changeOf(
  resource: AnyResource,
  id: RecordId,
  { values, files }: FormContent,
  { creating, base }: { readonly creating: boolean; readonly base: Base },
): ChangeDraft {
  if (creating && !isSingle(resource)) return { op: 'create', resource: resource.name, values, files };
  return { op: 'update', resource: resource.name, recordId: id, values, files, base };
}

function submitLabel(resource: AnyResource, gone: boolean): string {
  if (gone) return t('Add {what}', { what: say(resource.label.one) });
  return isSingle(resource) ? t('Submit') : t('Update');
}

/**
 * The opening of an edit form: a draft over a refused change over the record. A draft keeps the base it was typed on, so that
 * later edits by others are reported and not mistaken for input. Fields that came into being since are taken from the record.
 */
function openingOf(resource: AnyResource, { view, refused, draft }: EditOpening) {
  const now = contentOf(resource, view);
  const known = draft?.base !== undefined && differs(now, { ...draft, values: { ...now.values, ...draft.values } });
  const base = known ? { ...draft.base, values: { ...now.values, ...draft.base.values } } : baseOfView(view);
  const start = refused?.content ?? { ...now, values: { ...now.values, ...base.values } };
  const content = draft === null ? undefined : restoredContent(start, draft, refused);
  return {
    fields: resource.fields,
    start,
    base,
    ...(content !== undefined && draft !== null && { content, restoredAt: draft.savedAt }),
    ...(refused !== null && { errors: refused.errors, repairing: refused.entryId }),
  };
}

function contentOf(resource: AnyResource, view: RecordView): FormContent {
  const empty = emptyContent(resource);
  return { ...empty, values: { ...empty.values, ...view.values } };
}

/** The files of a refused change are in the form itself, where they can be removed. */
function withoutWaiting(view: RecordView): RecordView {
  return { ...view, pendingFiles: [] };
}
