import { useLookup } from '../../api/reads.ts';
import { type AttachmentField, type Field, type FieldOf, isAttachment, type ValueField } from '../../domain/fields.ts';
import type { Resource } from '../../domain/resource.ts';
import type { FieldErrors } from '../../domain/validate.ts';
import type { PresentFile } from '../../fields/attachment-input.ts';
import { AttachmentFieldInput } from '../../fields/attachment-field.tsx';
import { filesOf } from '../../fields/form-file.ts';
import { ValueFieldInput } from '../../fields/value-field.tsx';
import type { LookupState } from '../../fields/value-input.ts';
import { fileErrors, firstError } from './form-state.ts';
import { type Section, sectionsOf } from './sections.ts';
import type { RecordForm } from './use-record-form.ts';

export interface RecordFieldsProps {
  /** A kind of record, or anything else that has fields. */
  readonly resource: Pick<Resource, 'fields'>;
  readonly form: RecordForm;
  /** What the server would refuse; shown under fields that were left once. */
  readonly hints: FieldErrors;
  /** The same for every field, after Save stopped at it. */
  readonly warned?: FieldErrors | undefined;
  /** The files the record has already, by field name. */
  readonly present: Readonly<Record<string, readonly PresentFile[]>>;
  readonly idOf: (field: Field) => string;
  readonly onDeletePresent: ((key: string) => void) | undefined;
}

/** All inputs of a record in their sections. */
export function RecordFields(props: RecordFieldsProps) {
  return (
    <div className="form-sections">
      {sectionsOf(props.resource.fields).map((section) => (
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
            <Attachment key={`${field.name} ${props.form.round}`} field={field} {...props} />
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
  const parent = dependsOn === undefined ? undefined : (props.form.state.values[dependsOn] ?? '');
  return <PlainValue {...props} lookup={useLookup(lookup, parent)} />;
}

function PlainValue({
  field,
  form,
  hints,
  warned,
  idOf,
  lookup,
}: RecordFieldsProps & { field: ValueField; lookup: LookupState | undefined }) {
  const { values, errors, files, visited } = form.state;
  return (
    <ValueFieldInput
      field={field}
      id={idOf(field)}
      value={values[field.name] ?? ''}
      values={values}
      lookup={lookup}
      error={firstError(field, errors, files)}
      hint={warned?.[field.name]?.[0] ?? (visited.includes(field.name) ? hints[field.name]?.[0] : undefined)}
      onChange={(value) => form.setValue(field.name, value)}
      onBlur={() => form.visit(field.name)}
    />
  );
}

function Attachment(props: RecordFieldsProps & { field: AttachmentField }) {
  const { field, form, resource } = props;
  const { errors, files } = form.state;
  const own = filesOf(files, field);
  return (
    <AttachmentFieldInput
      field={field}
      id={props.idOf(field)}
      files={own}
      stored={props.present[field.name] ?? []}
      error={firstError(field, errors, files)}
      hint={firstError(field, { ...props.hints, ...props.warned }, files)}
      fileErrors={fileErrors(field, { ...props.hints, ...errors }, own.length)}
      takesPaste={field === pasteTarget(resource)}
      onAdd={(added) => form.addFiles(field, added)}
      onReading={form.setReading}
      onRemove={(key) => form.removeFile(field, key)}
      onMove={(key, to) => form.moveFile(field, key, to)}
      onDeleteStored={field.kind === 'images' ? props.onDeletePresent : undefined}
    />
  );
}

/** The field a pasted picture goes into: the one that takes many, else the one that takes one. */
function pasteTarget(resource: Pick<Resource, 'fields'>): Field | undefined {
  return (
    resource.fields.find((field) => field.kind === 'images') ?? resource.fields.find((field) => field.kind === 'image')
  );
}
