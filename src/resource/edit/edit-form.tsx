import type { ReactNode } from 'react';
import type { RecordReading } from '../../api/reads.ts';
import type { ChangeDraft } from '../../api/outbox.ts';
import { baseOfView } from '../../domain/outbox/base.ts';
import { isValue } from '../../domain/fields.ts';
import type { RecordView } from '../../domain/outbox/optimistic-view.ts';
import type { Base, RecordId } from '../../domain/outbox/vocabulary.ts';
import { type AnyResource, isSingle } from '../../domain/resource.ts';
import type { Values } from '../../domain/validate.ts';
import { differs, emptyContent, type FormContent } from '../form/content.ts';
import { RecordFormView } from '../form/record-form.tsx';
import { changedMeanwhile, type FormEvent, isSaving, isStale, reduce } from '../form/session.ts';
import { type OpenForm, useFormSession } from '../form/use-save.ts';
import { useListPlace } from '../list/list-order.ts';
import { deliveryWords } from './delivery-words.ts';
import { EditNotice, StaleNotice } from './edit-notice.tsx';
import { usePresentFiles } from './present-files.ts';
import { useImageActions } from './use-image-actions.ts';
import type { EditOpening } from './use-opening.ts';
import { useTakenPhotos } from './use-taken-photos.ts';
import { t } from '../../language/t.ts';

interface EditFormProps {
  readonly resource: AnyResource;
  readonly id: RecordId;
  readonly draftKey: string;
  readonly opening: EditOpening;
  readonly reading: RecordReading;
  /** Called if the change this edit was merged into was refused: the form has to open that one. */
  readonly onMergedRefused: (entryId: string, typed: FormContent | undefined) => void;
  /** Content below the fields. It can restore the values of an earlier version. */
  readonly children: (onBringBack: (values: Values) => void) => ReactNode;
}

const NOTHING: Values = {};

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
  const next = useListPlace(resource, id)?.next;
  const creating = refused?.change.op === 'create';
  const madeOn = refused !== null && 'base' in refused.change ? refused.change.base : session.base;
  const base = madeOn ?? latest.base;
  const restore = (values: Values) => {
    // Restored onto the record as it is now: the version that the form was opened on would count as nothing typed.
    if (stale) dispatch({ type: 'reopened', opening: { ...latest, content: session.now } });
    bringBack(form, values);
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
      submitLabel={isSingle(resource) ? t('Submit') : t('Update')}
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
      notice={<EditNotice view={view} refused={refused} />}
      saveNotice={stale && <StaleNotice onTakeOver={showLatest} />}
      theirs={stale ? changedMeanwhile(session, latest.base) : NOTHING}
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

/**
 * The opening of an edit form: a newer draft over a refused change over the record. A draft keeps the base it was typed on, so
 * that later edits by others are reported and not mistaken for input.
 */
function openingOf(resource: AnyResource, { view, refused, draft }: EditOpening) {
  const newest = draft !== null && refused !== null && draft.savedAt < refused.at ? null : draft;
  const now = contentOf(resource, view);
  const base = newest?.base !== undefined && differs(now, newest) ? newest.base : baseOfView(view);
  return {
    fields: resource.fields,
    start: refused?.content ?? { ...now, values: { ...now.values, ...base.values } },
    base,
    ...(newest !== null && { content: newest, restoredAt: newest.savedAt }),
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
