import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useRecord } from '../api/reads.ts';
import type { Resource } from '../domain/resource.ts';
import type { FormDraft } from '../api/drafts.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { FormSkeleton } from '../ui/skeletons.tsx';
import { CopiedFilesNotice } from './duplicate/copied-files-notice.tsx';
import { type FileSource, fileSources } from './duplicate/sources.ts';
import { useCopiedFiles } from './duplicate/use-copied-files.ts';
import { newDraftKey } from './form/draft-key.ts';
import { emptyContent, type FormContent } from './form/form-state.ts';
import { RecordFormView } from './form/record-form.tsx';
import { useStoredDraft } from './form/use-draft.ts';
import { useRecordForm } from './form/use-record-form.ts';
import { useAdministrator } from './use-administrator.ts';

/** Adds a record. `?from=<id>` fills the form with another record's values and files. */
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

/**
 * A duplicate begins with the other record's texts and files. What was typed here before and not saved comes first: only
 * when it is discarded does the duplicate begin.
 */
function DuplicateForm({ from, ...props }: CreateFormProps & { from: string }) {
  const { resource } = props;
  const { view, missing } = useRecord(resource, from);
  const [draft, setDraft] = useState(props.draft);
  const [opened, setOpened] = useState(view);
  if (opened === undefined && view !== undefined) setOpened(view);
  const copied = useMemo(() => {
    const empty = emptyContent(resource);
    return opened === undefined
      ? { content: empty, files: NO_SOURCES }
      : { content: { ...empty, values: { ...empty.values, ...opened.values } }, files: fileSources(resource, opened) };
  }, [resource, opened]);
  if (draft !== null) return <CreateForm {...props} draft={draft} onDiscardRestored={() => setDraft(null)} />;
  if (opened === undefined && !missing) return <FormSkeleton fields={resource.fields.length} />;
  return <CreateForm key="copy" {...props} draft={null} copied={copied.content} files={copied.files} />;
}

const NO_SOURCES: readonly FileSource[] = [];

interface CreateFormProps {
  readonly resource: Resource;
  readonly draftKey: string;
  readonly draft: FormDraft | null;
  readonly copied?: FormContent;
  /** Files that are to come into the form. */
  readonly files?: readonly FileSource[];
  /** In place of emptying the form. */
  readonly onDiscardRestored?: () => void;
}

function CreateForm({ resource, draftKey, draft, copied, files = NO_SOURCES, onDiscardRestored }: CreateFormProps) {
  const empty = emptyContent(resource);
  const form = useRecordForm(resource.fields, empty, draft ?? copied ?? empty);
  const copying = useCopiedFiles(files, form);
  return (
    <RecordFormView
      resource={resource}
      form={form}
      creating
      draftKey={draftKey}
      restoredAt={draft?.savedAt}
      onDiscardRestored={onDiscardRestored ?? (() => form.restart(empty))}
      base={undefined}
      repairing={undefined}
      submitLabel={`Add ${resource.label.one}`}
      draft={({ values, files: picked }) => ({ op: 'create', resource: resource.name, values, files: picked })}
      afterSave={resource.afterCreate}
      onStay={() => form.restart(empty)}
      notice={<CopiedFilesNotice {...copying} />}
      present={{}}
      onDeletePresent={undefined}
    />
  );
}
