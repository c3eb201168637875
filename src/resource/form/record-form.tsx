import Button from '@mui/material/Button';
import { type ReactNode, useRef, useState } from 'react';
import type { ChangeDraft } from '../../api/outbox.ts';
import type { Field } from '../../domain/fields.ts';
import type { Base } from '../../domain/outbox/vocabulary.ts';
import { type Resource, routesOf, titleOf } from '../../domain/resource.ts';
import { useUnsaved } from '../../stores/unsaved.ts';
import { conflictPath } from '../paths.ts';
import { ErrorSummary } from './error-summary.tsx';
import type { FormContent } from './form-state.ts';
import { RecordFields, type RecordFieldsProps } from './record-fields.tsx';
import { RestoredBar } from './restored-bar.tsx';
import { forgetDraft, useKeepDraft } from './use-draft.ts';
import { useHints } from './use-hints.ts';
import { useLeaving } from './use-leaving.ts';
import type { RecordForm } from './use-record-form.ts';
import { useSaveKey, useStrayDrops } from './use-page-events.ts';
import { useSubmit } from './use-submit.ts';
import './form.css';

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
  readonly onMergedRefused?: (entryId: string) => void;
  /** What to tell above the fields. */
  readonly notice?: ReactNode;
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
    onMergedRefused: props.onMergedRefused,
    onConflict: (entryId) => leaveTo(conflictPath(entryId)),
  });
  const dirty = form.dirty && !leaving && !submit.stored;
  const kept = { ...form.state, ...(props.base === undefined ? {} : { base: props.base }) };
  useUnsaved(dirty, `this ${resource.label.one.toLowerCase()}`);
  useKeepDraft(draftKey, kept, dirty, props.restoredAt !== undefined);
  useSaveKey(element);
  useStrayDrops();
  const hints = useHints(resource, form, props.creating);
  const idOf = (field: Field) => `${resource.path}-${field.name}`;
  return (
    <form
      ref={element}
      className="record-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit.submit();
      }}
    >
      {props.notice}
      {restoredAt !== undefined && dirty && (
        <RestoredBar
          at={restoredAt}
          onDiscard={() => {
            setRestoredAt(undefined);
            props.onDiscardRestored();
          }}
        />
      )}
      <ErrorSummary
        fields={resource.fields}
        files={form.state.files}
        errors={form.state.errors}
        warned={submit.warned}
        attention={submit.attention}
        idOf={idOf}
        onSaveAnyway={() => void submit.submit(true)}
      />
      <RecordFields
        resource={resource}
        form={form}
        hints={hints}
        warned={submit.warned}
        present={props.present}
        idOf={idOf}
        onDeletePresent={props.onDeletePresent}
      />
      <div className="save-bar">
        <Button
          type="submit"
          variant="contained"
          size="large"
          loading={submit.saving}
          loadingPosition="start"
          disabled={form.reading}
        >
          {form.reading ? 'Reading photos…' : props.submitLabel}
        </Button>
        <Button
          color="inherit"
          size="large"
          href={routesOf(resource).list}
          onClick={(event) => {
            event.preventDefault();
            leaveTo(routesOf(resource).list, true);
          }}
        >
          Cancel
        </Button>
        <span className="save-state">{dirty ? 'Not saved yet' : ''}</span>
      </div>
    </form>
  );
}
