import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type RecordReading, useRecord } from '../api/reads.ts';
import { type Resource, routesOf } from '../domain/resource.ts';
import type { FormDraft } from '../api/drafts.ts';
import Button from '@mui/material/Button';
import LockIcon from '@mui/icons-material/LockOutlined';
import { useMay } from '../stores/session.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { FailureNotice } from '../ui/failure-notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Link } from '../ui/link.tsx';
import { useFirstFocus } from '../ui/use-first-focus.ts';
import { FormSkeleton } from '../ui/skeletons.tsx';
import { CopiedFilesNotice } from './duplicate/copied-files-notice.tsx';
import { type FileSource, fileSources } from './duplicate/sources.ts';
import { useCopiedFiles } from './duplicate/use-copied-files.ts';
import { emptyContent, type FormContent } from './form/content.ts';
import { RecordFormView } from './form/record-form.tsx';
import { newDraftKey } from '../domain/draft-keys.ts';
import { useOwnDraftKey, useStoredDraft } from './form/use-draft.ts';
import { useFormSession } from './form/use-save.ts';
import { useAdministrator } from './use-administrator.ts';
import { msg, say, sayOf, t } from '../language/t.ts';

/** Adds a record. `?from=<id>` fills the form with another record's values and files. */
export default function CreateScreen({ resource }: { resource: Resource }) {
  const [search] = useSearchParams();
  const draftKey = useOwnDraftKey(newDraftKey(useAdministrator(), resource));
  const from = search.get('from');
  if (!useMay('editor')) return <MayNotAdd resource={resource} />;
  return (
    <>
      <PageHeader title={sayOf(msg('New {what}'), resource.label.one)} />
      {draftKey === undefined ? (
        <FormSkeleton fields={resource.fields.length} />
      ) : (
        <NewRecord key={`${draftKey} ${from}`} {...{ resource, draftKey, from }} />
      )}
    </>
  );
}

function MayNotAdd({ resource }: { resource: Resource }) {
  return (
    <>
      <PageHeader title={sayOf(msg('New {what}'), resource.label.one)} />
      <EmptyState
        icon={<LockIcon />}
        title={t('Your role is viewer')}
        action={
          <Button component={Link} to={routesOf(resource).list} variant="contained">
            {say(resource.label.list)}
          </Button>
        }
      >
        {t('You can look at everything. Ask an owner if you need to add records.')}
      </EmptyState>
    </>
  );
}

/** The form of one address. Each reads its own draft, because an earlier one may have been discarded since. */
function NewRecord({ from, ...props }: { resource: Resource; draftKey: string; from: string | null }) {
  const draft = useStoredDraft(props.draftKey);
  if (draft === undefined) return <FormSkeleton fields={props.resource.fields.length} />;
  if (from === null) return <CreateForm {...props} draft={draft} />;
  return <DuplicateForm {...props} draft={draft} from={from} />;
}

/**
 * A duplicate starts with the other record's values and files. An unsaved draft takes precedence; discarding it starts the
 * duplicate.
 */
function DuplicateForm({ from, ...props }: CreateFormProps & { from: string }) {
  const { resource } = props;
  const reading = useRecord(resource, from);
  const { view, missing, record, refreshing } = reading;
  const [draft, setDraft] = useState(props.draft);
  // Before the record is read, an unsent edit shows its texts, and none of the stored files.
  const whole = record !== undefined || !refreshing ? view : undefined;
  const [opened, setOpened] = useState(whole);
  if (opened === undefined && whole !== undefined) setOpened(whole);
  const copied = useMemo(() => {
    const empty = emptyContent(resource);
    return opened === undefined
      ? { content: empty, files: NO_SOURCES }
      : { content: { ...empty, values: { ...empty.values, ...opened.values } }, files: fileSources(resource, opened) };
  }, [resource, opened]);
  if (draft !== null) return <CreateForm {...props} draft={draft} onDiscardRestored={() => setDraft(null)} />;
  if (opened === undefined && !missing) return <NotOpened resource={resource} reading={reading} />;
  return <CreateForm key="copy" {...props} draft={null} copied={copied.content} files={copied.files} />;
}

/** Shown while the other record is loading or not available. */
function NotOpened({ resource, reading }: { resource: Resource; reading: RecordReading }) {
  if (reading.failure === undefined) return <FormSkeleton fields={resource.fields.length} />;
  return (
    <FailureNotice message={reading.failure} onRetry={reading.refresh} retrying={reading.refreshing}>
      {t('The {what} to duplicate is not on this device yet.', { what: say(resource.label.one) })}
    </FailureNotice>
  );
}

const NO_SOURCES: readonly FileSource[] = [];

interface CreateFormProps {
  readonly resource: Resource;
  readonly draftKey: string;
  readonly draft: FormDraft | null;
  readonly copied?: FormContent;
  /** Files to copy into the form. */
  readonly files?: readonly FileSource[];
  /** Replaces emptying the form. */
  readonly onDiscardRestored?: () => void;
}

function CreateForm({ resource, draftKey, draft, copied, files = NO_SOURCES, onDiscardRestored }: CreateFormProps) {
  const empty = emptyContent(resource);
  const restored = draft === null ? {} : { content: draft, restoredAt: draft.savedAt };
  const form = useFormSession({ fields: resource.fields, start: empty, content: copied ?? empty, ...restored });
  const copying = useCopiedFiles(files, form);
  // Of a copy, what tells it from the other record is typed first.
  const [last] = copied === undefined ? [] : resource.title.slice(-1);
  useFirstFocus(last === undefined ? '.record-form' : `.record-form .field:has([name="${last}"])`);
  const startAnew = () => form.dispatch({ type: 'reopened', opening: { start: empty } });
  return (
    <RecordFormView
      resource={resource}
      form={form}
      creating
      draftKey={draftKey}
      onDiscardRestored={onDiscardRestored ?? startAnew}
      submitLabel={t('Add {what}', { what: say(resource.label.one) })}
      changeOf={({ values, files: picked }) => ({ op: 'create', resource: resource.name, values, files: picked })}
      onStay={resource.afterCreate === 'stay' ? startAnew : undefined}
      notice={<CopiedFilesNotice {...copying} />}
      present={{}}
      presentActions={undefined}
      {...(copied !== undefined && { copied: copied.values })}
    />
  );
}
