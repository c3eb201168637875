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
  /** A change that this edit was merged into was refused: the form has to open it as it is there. */
  readonly onMergedRefused: (entryId: string, typed: FormContent | undefined) => void;
  /** What follows the fields; it may put the texts of an earlier version into them. */
  readonly children: (onBringBack: (values: Values) => void) => ReactNode;
}

const NOTHING: Values = {};

/** The form of a record that is there: prefilled, following the record until something is typed. */
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
  return (
    <RecordFormView
      resource={resource}
      form={form}
      creating={creating}
      draftKey={props.draftKey}
      // The refused change itself, with its files, is what a discarded draft goes back to: nobody gave that up.
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
      stateWords={isSingle(resource) && view.entries.length > 0 ? t('Saved on this device, not sent yet') : ''}
      onMergedRefused={props.onMergedRefused}
      notice={<EditNotice view={view} refused={refused} />}
      saveNotice={stale && <StaleNotice onTakeOver={showLatest} />}
      theirs={stale ? changedMeanwhile(session, latest.base) : NOTHING}
      present={present}
      presentActions={presentActions}
    >
      {props.children((values) => bringBack(form, values))}
    </RecordFormView>
  );
}

/** All of them, in the definition's order: a choice that is made empties what depends on it. */
function bringBack({ session, dispatch }: OpenForm, values: Values): void {
  for (const { name } of session.fields.filter(isValue)) dispatch({ type: 'typed', name, value: values[name] ?? '' });
}

/** The change that Save makes: a refused create is still one, and an edit says what it was made on. */
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
 * A draft that is newer than the refused change lies over that, which lies over the record. It is measured against what it was typed on:
 * what somebody else has changed since is told, and not taken for something that was typed away here.
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

/** A refused change's files are in the form itself, where they can be taken out. */
function withoutWaiting(view: RecordView): RecordView {
  return { ...view, pendingFiles: [] };
}
