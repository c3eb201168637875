import Button from '@mui/material/Button';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { SiteMeta } from '../../api/sources.ts';
import type { Base } from '../../domain/outbox/vocabulary.ts';
import { SITE_META } from '../../domain/site-meta.ts';
import type { Values } from '../../domain/validate.ts';
import type { FormFile } from '../../fields/form-file.ts';
import type { FormDraft } from '../../api/drafts.ts';
import { FormBody } from '../../resource/form/form-body.tsx';
import { differs, type FormContent } from '../../resource/form/form-state.ts';
import { forgetDraft, useKeepDraft } from '../../resource/form/use-draft.ts';
import { useHints } from '../../resource/form/use-hints.ts';
import { useSubmit } from '../../resource/form/use-submit.ts';
import { useRecordForm } from '../../resource/form/use-record-form.ts';
import { notify } from '../../stores/notifications.ts';
import { useUnsaved } from '../../stores/unsaved.ts';
import type { WaitingSiteMeta } from './use-waiting-site-meta.ts';

const NO_FILES: readonly FormFile[] = [];

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
  const element = useRef<HTMLFormElement>(null);
  const start = useMemo(
    () => ({ values: { ...siteMeta.values, ...waiting.values }, files: NO_FILES }),
    [siteMeta, waiting],
  );
  const [shown, setShown] = useState(start);
  const [base, setBase] = useState(draft?.base ?? baseShown(siteMeta, waiting));
  const form = useRecordForm(SITE_META.fields, start, draft ?? start, waiting.refused?.errors);
  const [restoredAt, setRestoredAt] = useState(draft?.savedAt);
  const takeOver = () => {
    form.restart(start);
    setShown(start);
    setBase(baseShown(siteMeta, waiting));
  };
  const saved = () => {
    forgetDraft(draftKey);
    setRestoredAt(undefined);
    form.restart({ values: form.state.values, files: NO_FILES });
  };
  const save = useSubmit({
    fields: SITE_META.fields,
    titleOf: () => SITE_META.label,
    form,
    creating: false,
    repairing: waiting.refused?.entryId,
    draft: ({ values }) => ({ op: 'save-settings', values, base: waiting.refused?.base ?? base }),
    onSaved: saved,
    onConflict: () => {
      notify('The same settings have been changed since. Compare both versions.', { kind: 'info' });
      saved();
    },
    onTypedOn: (content) => {
      setRestoredAt(undefined);
      form.goOn(content);
      setShown(content);
      setBase((before) => ({ ...before, values: content.values }));
    },
  });
  const { dirty } = save;
  if (differs(shown, start) && !form.dirty && !form.saving) takeOver();
  // What is shown has arrived on the server, an earlier save of this form perhaps: what is typed now is typed upon that.
  else if (isOlder(base, siteMeta) && !differs(shown, contentOf(siteMeta))) setBase(baseOf(siteMeta));
  useUnsaved(dirty);
  useKeepDraft(draftKey, { ...form.state, base }, dirty, draft !== null);
  return (
    <FormBody
      element={element}
      resource={SITE_META}
      form={form}
      save={save}
      hints={useHints(SITE_META, form, false)}
      present={NOTHING_PRESENT}
      idOf={({ name }) => `site-meta-${name}`}
      onDeletePresent={undefined}
      notice={<Notices waiting={waiting} />}
      restoredAt={dirty ? restoredAt : undefined}
      onDiscardRestored={() => {
        setRestoredAt(undefined);
        takeOver();
      }}
      submitLabel="Submit"
      stateWords={stateWords(dirty, waiting)}
    >
      {children}
    </FormBody>
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

const NOTHING_PRESENT = {};

function contentOf({ values }: { readonly values: Values }): FormContent {
  return { values, files: NO_FILES };
}

function isOlder(base: Base, siteMeta: SiteMeta): boolean {
  return base.version !== siteMeta.version || differs(contentOf(base), contentOf(siteMeta));
}

function baseOf({ values, version }: SiteMeta): Base {
  return { values, imageIds: [], ...(version !== undefined && { version }) };
}

/** What the form has before its eyes: what waits to be sent is part of that, what was refused is not. */
function baseShown(siteMeta: SiteMeta, { values, refused, confirmed }: WaitingSiteMeta): Base {
  // what was confirmed may lie over somebody's newer texts: only without the version does the sender compare them
  const base = baseOf(confirmed ? { values: siteMeta.values } : siteMeta);
  return refused === undefined ? { ...base, values: { ...base.values, ...values } } : base;
}

function stateWords(dirty: boolean, { count }: WaitingSiteMeta): string {
  if (dirty) return 'Not saved yet';
  return count > 0 ? 'Saved on this device, not sent yet' : '';
}
