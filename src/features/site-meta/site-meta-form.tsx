import Button from '@mui/material/Button';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'react-router-dom';
import type { FormDraft } from '../../api/drafts.ts';
import type { SiteMeta } from '../../api/sources.ts';
import type { Base } from '../../domain/outbox/vocabulary.ts';
import { siteMeta as resource } from '../../domain/resources/site-meta.ts';
import { RecordFormView } from '../../resource/form/record-form.tsx';
import { type FormEvent, isSaving, reduce } from '../../resource/form/session.ts';
import { useFormSession } from '../../resource/form/use-save.ts';
import type { FormFile } from '../../fields/form-file.ts';
import type { WaitingSiteMeta } from './use-waiting-site-meta.ts';

const NO_FILES: readonly FormFile[] = [];
const NOTHING_PRESENT = {};

interface Props {
  readonly siteMeta: SiteMeta;
  readonly waiting: WaitingSiteMeta;
  readonly draft: FormDraft | null;
  readonly draftKey: string;
  /** What follows the fields. */
  readonly children?: ReactNode;
}

/** The form of the site-wide settings. It stays open after a save and follows what the server holds until something is typed. */
export function SiteMetaForm({ siteMeta, waiting, draft, draftKey, children }: Props) {
  const latest = useMemo(
    () => ({
      start: { values: { ...siteMeta.values, ...waiting.values }, files: NO_FILES },
      base: baseShown(siteMeta, waiting),
    }),
    [siteMeta, waiting],
  );
  const { refused } = waiting;
  const form = useFormSession({
    ...latest,
    fields: resource.fields,
    ...(draft !== null && { content: draft, restoredAt: draft.savedAt, base: draft.base ?? latest.base }),
    ...(refused !== undefined && { errors: refused.errors, repairing: refused.entryId }),
  });
  const { session, dispatch } = form;
  const follow: FormEvent = { type: 'followed', content: latest.start, base: latest.base };
  if (!isSaving(session) && reduce(session, follow) !== session) dispatch(follow);
  return (
    <RecordFormView
      resource={resource}
      form={form}
      creating={false}
      draftKey={draftKey}
      onDiscardRestored={() => dispatch({ type: 'reopened', opening: latest })}
      submitLabel="Submit"
      changeOf={({ values }) => ({ op: 'save-settings', values, base: refused?.base ?? session.base ?? latest.base })}
      onStay={() => dispatch({ type: 'reopened', opening: { start: session.now, base: latest.base } })}
      stateWords={waiting.count > 0 ? 'Saved on this device, not sent yet' : ''}
      notice={<Notices waiting={waiting} />}
      present={NOTHING_PRESENT}
      presentActions={undefined}
    >
      {children}
    </RecordFormView>
  );
}

function Notices({ waiting: { refused, conflictId } }: { waiting: WaitingSiteMeta }) {
  return (
    <>
      {refused && (
        <output className="form-bar">
          <span>
            <strong>The server refused this change.</strong> {refused.message}
          </span>
        </output>
      )}
      {conflictId !== undefined && (
        <output className="form-bar">
          <span>Your last change and somebody else’s touch the same fields.</span>
          <Button component={Link} to={`/outbox/conflict/${conflictId}`} color="inherit" variant="outlined">
            Compare
          </Button>
        </output>
      )}
    </>
  );
}

/** What the form has before its eyes: what waits to be sent is part of that, what was refused is not. */
function baseShown({ values: stored, version }: SiteMeta, { values, refused, confirmed }: WaitingSiteMeta): Base {
  // what was confirmed may lie over somebody's newer texts: only without the version does the sender compare them
  const base = { imageIds: [], ...(version !== undefined && !confirmed && { version }) };
  return { ...base, values: refused === undefined ? { ...stored, ...values } : stored };
}
