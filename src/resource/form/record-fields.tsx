import { type ReactNode, useCallback } from 'react';
import { useLookup } from '../../api/reads.ts';
import {
  type AttachmentField,
  type Field,
  type FieldOf,
  isAttachment,
  isManyFiles,
  type ValueField,
} from '../../domain/fields.ts';
import type { FieldErrors } from '../../domain/validate.ts';
import type { PresentFile, StoredActions } from '../../fields/attachment-input.ts';
import { AttachmentFieldInput } from '../../fields/attachment-field.tsx';
import { filesOf } from '../../fields/form-file.ts';
import { ValueFieldInput } from '../../fields/value-field.tsx';
import type { LookupState } from '../../fields/value-input.ts';
import { fileErrors, firstError } from './content.ts';
import type { Suggestions } from './known-values.ts';
import { type Section, sectionsOf } from './sections.ts';
import type { OpenForm } from './use-save.ts';

export interface RecordFieldsProps {
  readonly form: OpenForm;
  /** Disables typing, and offers neither picking nor deleting. */
  readonly readOnly: boolean;
  /** What the server would refuse, shown under visited fields. */
  readonly hints: FieldErrors;
  /** The record's existing files, by field name. */
  readonly present: Readonly<Record<string, readonly PresentFile[]>>;
  readonly idOf: (field: Field) => string;
  /** Values of other records, by field. */
  readonly suggestions: Suggestions;
  /** Notes under fields without errors, by name. */
  readonly notes: Readonly<Record<string, ReactNode>>;
  readonly presentActions: StoredActions | undefined;
}

/** All inputs of a record in their sections. */
export function RecordFields(props: RecordFieldsProps) {
  return (
    <div className="form-sections">
      {sectionsOf(props.form.session.fields).map((section) => (
        <FormSection key={section.heading} section={section} {...props} />
      ))}
    </div>
  );
}

function FormSection({ section, ...props }: RecordFieldsProps & { section: Section }) {
  return (
    <section className="form-section" aria-label={section.heading} data-single={section.fields.length === 1}>
      {section.fields.length > 1 && <h2>{section.heading}</h2>}
      <div className="form-grid">
        {section.fields.map((field) =>
          isAttachment(field) ? (
            <Attachment key={`${field.name} ${props.form.session.round}`} field={field} {...props} />
          ) : (
            <Value key={field.name} field={field} {...props} />
          ),
        )}
      </div>
    </section>
  );
}

function Value(props: RecordFieldsProps & { field: ValueField }) {
  return props.field.kind === 'lookup' ? (
    <LookedUpValue {...props} field={props.field} />
  ) : (
    <PlainValue {...props} lookup={undefined} />
  );
}

function LookedUpValue(props: RecordFieldsProps & { field: FieldOf<'lookup'> }) {
  const { lookup, dependsOn } = props.field;
  const parent = dependsOn === undefined ? undefined : (props.form.session.now.values[dependsOn] ?? '');
  return <PlainValue {...props} lookup={useLookup(lookup, parent)} />;
}

interface PlainValueProps extends RecordFieldsProps {
  readonly field: ValueField;
  readonly lookup: LookupState | undefined;
}

function PlainValue(props: PlainValueProps) {
  const { field, hints, idOf, lookup, readOnly } = props;
  const { session, dispatch } = props.form;
  const { now, errors, warned, visited } = session;
  const { name } = field;
  return (
    <ValueFieldInput
      field={field}
      id={idOf(field)}
      value={now.values[name] ?? ''}
      values={now.values}
      lookup={lookup}
      suggestions={props.suggestions[name]}
      note={props.notes[name]}
      error={firstError(field, errors, now.files)}
      hint={warned?.[name]?.[0] ?? (visited.includes(name) ? hints[name]?.[0] : undefined)}
      onChange={(value) => dispatch({ type: 'typed', name, value })}
      onBlur={() => dispatch({ type: 'left', name })}
      disabled={readOnly}
    />
  );
}

function Attachment({
  field,
  form,
  readOnly,
  hints,
  present,
  idOf,
  notes,
  presentActions,
}: RecordFieldsProps & { field: AttachmentField }) {
  const { session, dispatch } = form;
  const { now, errors, warned, fields } = session;
  const own = filesOf(now.files, field);
  const onReading = useCallback(
    ({ name }: AttachmentField, busy: boolean) => dispatch({ type: 'reading', name, busy }),
    [dispatch],
  );
  return (
    <AttachmentFieldInput
      field={field}
      id={idOf(field)}
      files={own}
      stored={present[field.name] ?? []}
      error={firstError(field, errors, now.files)}
      hint={firstError(field, { ...hints, ...warned }, now.files)}
      note={notes[field.name]}
      fileErrors={fileErrors(field, { ...hints, ...errors }, own.length)}
      takesPaste={field === pasteTarget(fields)}
      onAdd={(files) => dispatch({ type: 'picked', field, files })}
      onReading={onReading}
      onRemove={(key) => dispatch({ type: 'removed', field, key })}
      onMove={(key, to) => dispatch({ type: 'moved', field, key, to })}
      readOnly={readOnly}
      storedActions={isManyFiles(field) && !readOnly ? presentActions : undefined}
    />
  );
}

/** The field for a pasted picture: the one for several images, else the one for a single image. */
function pasteTarget(fields: readonly Field[]): Field | undefined {
  return fields.find(isManyFiles) ?? fields.find(({ kind }) => kind === 'image');
}
