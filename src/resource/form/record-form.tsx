import Button from '@mui/material/Button';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { ChangeDraft } from '../../api/outbox.ts';
import type { Base } from '../../domain/outbox/vocabulary.ts';
import { type Resource, routesOf, titleOf } from '../../domain/resource.ts';
import { useUnsaved } from '../../stores/unsaved.ts';
import { conflictPath } from '../paths.ts';
import { FormBody } from './form-body.tsx';
import { type FormContent, typedSince } from './form-state.ts';
import { handOver } from './hand-over.ts';
import type { RecordFieldsProps } from './record-fields.tsx';
import { forgetDraft, useKeepDraft } from './use-draft.ts';
import { useHints } from './use-hints.ts';
import { useLeaving } from './use-leaving.ts';
import type { RecordForm } from './use-record-form.ts';
import { useSubmit } from './use-submit.ts';

interface RecordFormProps extends Pick<RecordFieldsProps, 'present' | 'onDeletePresent'> {
  readonly resource: Resource;
  readonly form: RecordForm;
  readonly creating: boolean;
  /** Under which key the unfinished form is kept. */
  readonly draftKey: string;
  /** When the unfinished form that was restored had been kept, in epoch milliseconds. */
  readonly restoredAt: number | undefined;
  readonly onDiscardRestored: () => void;
  readonly base: Base | undefined;
  readonly repairing: string | undefined;
  readonly submitLabel: string;
  readonly draft: (content: FormContent) => ChangeDraft;
  /** After a save: to the list, or stay with an emptied form. */
  readonly afterSave: 'list' | 'stay';
  readonly onStay?: () => void;
  /** The form stands after all: it was typed in while this was saved. Without it, the edit of the new record goes on elsewhere. */
  readonly onTypedOn?: (saved: FormContent) => void;
  readonly onMergedRefused?: (entryId: string, typed: FormContent | undefined) => void;
  /** What to tell above the fields. */
  readonly notice?: ReactNode;
  /** What to tell while somebody works. */
  readonly saveNotice?: ReactNode;
  /** What follows the fields. */
  readonly children?: ReactNode;
}

/** THE form: the fields of a definition, its errors, its unfinished copy on this device, and Save. */
export function RecordFormView(props: RecordFormProps) {
  const { resource, form, draftKey } = props;
  const element = useRef<HTMLFormElement>(null);
  const { leaveTo, leaving } = useLeaving();
  const [restoredAt, setRestoredAt] = useState(props.restoredAt);
  const submit = useSubmit({
    fields: resource.fields,
    titleOf: (values) => titleOf(resource, values),
    form,
    creating: props.creating,
    repairing: props.repairing,
    draft: props.draft,
    onSaved: () => {
      forgetDraft(draftKey);
      setRestoredAt(undefined);
      if (props.afterSave === 'list') leaveTo(routesOf(resource).list);
      else {
        props.onStay?.();
        element.current?.querySelector<HTMLElement>('.control')?.focus();
      }
    },
    onTypedOn: async (saved, entry) => {
      setRestoredAt(undefined);
      if (props.onTypedOn === undefined) leaveTo(await handOver(resource, entry, typedSince(saved, form.state)));
      else props.onTypedOn(saved);
    },
    onMergedRefused: props.onMergedRefused,
    onConflict: (entryId) => leaveTo(conflictPath(entryId)),
  });
  const dirty = submit.dirty && !leaving;
  const { stored } = submit;
  const typed = useMemo(
    () => (stored === undefined ? form.state : typedSince(stored, form.state)),
    [stored, form.state],
  );
  const kept = { ...typed, ...(props.base === undefined ? {} : { base: props.base }) };
  // Kept as a new record, what is typed into one that is saved already would be saved a second time.
  const keeps = stored === undefined || props.onTypedOn !== undefined;
  useUnsaved(dirty);
  useKeepDraft(draftKey, kept, dirty && keeps, props.restoredAt !== undefined);
  const hints = useHints(resource, form, props.creating);
  return (
    <FormBody
      element={element}
      resource={resource}
      form={form}
      save={submit}
      hints={hints}
      present={props.present}
      idOf={({ name }) => `${resource.path}-${name}`}
      onDeletePresent={props.onDeletePresent}
      notice={props.notice}
      saveNotice={props.saveNotice}
      restoredAt={dirty ? restoredAt : undefined}
      onDiscardRestored={() => {
        setRestoredAt(undefined);
        props.onDiscardRestored();
      }}
      submitLabel={props.submitLabel}
      actions={<Cancel href={routesOf(resource).list} onLeave={(path) => leaveTo(path, true)} />}
      stateWords={dirty ? 'Not saved yet' : ''}
    >
      {props.children}
    </FormBody>
  );
}

/** A link, so that the list can be opened beside the form; pressed plainly it asks before anything is lost. */
function Cancel({ href, onLeave }: { href: string; onLeave: (path: string) => void }) {
  return (
    <Button
      color="inherit"
      size="large"
      href={href}
      onClick={(event) => {
        event.preventDefault();
        onLeave(href);
      }}
    >
      Cancel
    </Button>
  );
}
