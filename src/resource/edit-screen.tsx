import Button from '@mui/material/Button';
import SearchOffIcon from '@mui/icons-material/SearchOff';
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { type RecordReading, useRecord } from '../api/reads.ts';
import { isLocalId } from '../domain/outbox/vocabulary.ts';
import { type Resource, routesOf, textOf, titleOf } from '../domain/resource.ts';
import type { FormDraft } from '../api/drafts.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { FailureNotice } from '../ui/failure-notice.tsx';
import { Freshness } from '../ui/freshness.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { FormSkeleton } from '../ui/skeletons.tsx';
import { EditActions } from './edit/edit-actions.tsx';
import { EditForm, type Opening } from './edit/edit-form.tsx';
import { RecordHistory } from './edit/record-history.tsx';
import { useFollowedId } from './edit/use-followed-id.ts';
import { type Refused, useRefused } from './edit/use-refused.ts';
import { recordDraftKey } from './form/draft-key.ts';
import type { FormContent } from './form/form-state.ts';
import { useStoredDraft } from './form/use-draft.ts';
import { useAdministrator } from './use-administrator.ts';

/** Edits a record, under the server's id or a local one, which is followed to the server's once it is known. */
export default function EditScreen({ resource }: { resource: Resource }) {
  const { id = '' } = useParams();
  const reading = useRecord(resource, id);
  const { view, record, failure, missing } = reading;
  const followedKey = useFollowedId(resource, id, reading.serverId);
  const administrator = useAdministrator();
  const draftKey = recordDraftKey(administrator, resource, id);
  const { localId } = reading;
  const draft = useStoredDraft(draftKey, localId && recordDraftKey(administrator, resource, localId));
  const refused = useRefused(view);
  const [opening, setOpening] = useState<Opening>();
  // What one administrator types into one record is neither another's nor another record's.
  const work = `${administrator} ${followedKey}`;
  const [reopening, setReopening] = useState<Reopening>();
  const reopened = reopening?.work === work ? reopening : undefined;
  const reopenFor = reopened?.entryId ?? '';
  const formKey = `${work} ${reopenFor}`;
  const ready = view !== undefined && draft !== undefined && refused !== undefined && isAsked(refused, reopenFor);
  // What a form opened with is kept while it stands: a record that gets its id meanwhile must not empty it.
  if (ready && opening?.formKey !== formKey)
    setOpening({ formKey, view, record, refused, draft: reopened === undefined ? draft : laidOver(refused, reopened) });
  const open = opening?.formKey === formKey ? opening : undefined;
  const version = textOf(record?.['version']);
  const title = view === undefined ? resource.label.one : titleOf(resource, { id, ...view.values });
  return (
    <>
      <PageHeader
        title={`Edit ${title}`}
        freshness={missing ? undefined : freshnessOf(id, reading)}
        actions={view && <EditActions resource={resource} view={view} />}
      />
      {/* Over an open form the age in its heading says it: a notice would push down what is about to be tapped. */}
      {failure !== undefined && view === undefined && (
        <FailureNotice message={failure} onRetry={reading.refresh} retrying={reading.refreshing}>
          This record is not on this device yet.
        </FailureNotice>
      )}
      {missing && open === undefined && <Gone resource={resource} />}
      {open !== undefined && (
        <EditForm
          key={formKey}
          resource={resource}
          id={id}
          draftKey={draftKey}
          opening={open}
          reading={reading}
          onMergedRefused={(entryId, typed) => setReopening({ work, entryId, typed: typed && stamped(typed) })}
        >
          {reading.serverId !== undefined && version !== '' && (
            <RecordHistory owner={resource} id={reading.serverId} version={version} />
          )}
        </EditForm>
      )}
      {open === undefined && !missing && failure === undefined && <FormSkeleton fields={resource.fields.length} />}
    </>
  );
}

/** A refused change that the form is to open on, in place of the edit that was merged into it. */
interface Reopening {
  /** Whose form of which record. */
  readonly work: string;
  readonly entryId: string;
  /** What was typed while that edit was being saved. */
  readonly typed: FormDraft | undefined;
}

function stamped(typed: FormContent): FormDraft {
  return { ...typed, savedAt: Date.now() };
}

function laidOver(refused: Refused | null, { typed }: Reopening): FormDraft | null {
  if (typed === undefined || refused === null) return null;
  const { values, files } = refused.content;
  return { ...typed, values: { ...values, ...typed.values }, files: [...files, ...typed.files] };
}

function freshnessOf(id: string, reading: RecordReading) {
  if (isLocalId(id)) return 'On this device only so far';
  return <Freshness {...reading} onRefresh={reading.refresh} />;
}

function Gone({ resource }: { resource: Resource }) {
  return (
    <EmptyState
      icon={<SearchOffIcon />}
      title={`This ${resource.label.one} is not there any more`}
      action={
        <Button component={Link} to={routesOf(resource).list} variant="contained">
          {resource.label.list}
        </Button>
      }
    >
      It was deleted, perhaps by somebody else.
    </EmptyState>
  );
}

/** A form that is to show a refused change waits until that one has been read from the device. */
function isAsked(refused: Refused | null, reopenFor: string): boolean {
  return reopenFor === '' || refused?.entryId === reopenFor;
}
