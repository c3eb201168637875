import { useSearchParams } from 'react-router-dom';
import { useRecord } from '../api/reads.ts';
import type { Resource } from '../domain/resource.ts';
import type { FormDraft } from '../offline/drafts.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { FormSkeleton } from '../ui/skeletons.tsx';
import { newDraftKey } from './form/draft-key.ts';
import { emptyContent, type FormContent } from './form/form-state.ts';
import { RecordFormView } from './form/record-form.tsx';
import { useStoredDraft } from './form/use-draft.ts';
import { useRecordForm } from './form/use-record-form.ts';
import { useAdministrator } from './use-administrator.ts';

/** Adds a record. `?from=<id>` fills the form with another record's values. */
export default function CreateScreen({ resource }: { resource: Resource }) {
  const [search] = useSearchParams();
  const draftKey = newDraftKey(useAdministrator(), resource);
  const draft = useStoredDraft(draftKey);
  const from = search.get('from');
  return (
    <>
      <PageHeader title={`New ${resource.label.one}`} />
      {draft === undefined && <FormSkeleton fields={resource.fields.length} />}
      {draft !== undefined && from === null && <CreateForm key={draftKey} {...{ resource, draftKey, draft }} />}
      {draft !== undefined && from !== null && <DuplicateForm key={from} {...{ resource, draftKey, draft, from }} />}
    </>
  );
}

/** A duplicate begins with the other record's texts; files belong to the record they were sent with. */
function DuplicateForm(props: CreateFormProps & { from: string }) {
  const { view, missing } = useRecord(props.resource, props.from);
  if (view === undefined && !missing) return <FormSkeleton fields={props.resource.fields.length} />;
  const copied = { ...emptyContent(props.resource), ...(view && { values: view.values }) };
  return <CreateForm {...props} copied={copied} />;
}

interface CreateFormProps {
  readonly resource: Resource;
  readonly draftKey: string;
  readonly draft: FormDraft | null;
  readonly copied?: FormContent;
}

function CreateForm({ resource, draftKey, draft, copied }: CreateFormProps) {
  const empty = emptyContent(resource);
  const form = useRecordForm(resource.fields, empty, draft ?? copied ?? empty);
  return (
    <RecordFormView
      resource={resource}
      form={form}
      creating
      draftKey={draftKey}
      restoredAt={draft?.savedAt}
      onDiscardRestored={() => form.restart(empty)}
      base={undefined}
      repairing={undefined}
      submitLabel={`Add ${resource.label.one}`}
      draft={({ values, files }) => ({ op: 'create', resource: resource.name, values, files })}
      afterSave={resource.afterCreate}
      onStay={() => form.restart(empty)}
      present={{}}
      onDeletePresent={undefined}
    />
  );
}
